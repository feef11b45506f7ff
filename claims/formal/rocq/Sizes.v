(** For all real systems of a size.

    At a size a statement is one about finitely many reals.  It is evaluated with quotients of polynomials in these, where
    comparisons are known from facts: signs of polynomials.  A tree splits by signs until the facts contradict each other,
    which a sum of products shows ([RingMicromega]), or the statement is decided.  Parametricity ties it to the reals. *)
From Coq Require Import Reals QArith Qreals List Bool Arith Lia Lra NArith.
From Coq Require Import RingMicromega EnvRing Env RMicromega OrderedRing Refl Ring_theory.
From Param Require Import Param.
From Formal Require Import Numbers Arrays.
Import ListNotations.
Close Scope Q_scope. Close Scope R_scope. Open Scope nat_scope.

(** ** Polynomials with rational coefficients *)

Definition q_plus (p q : Q) : Q := Qred (p + q).
Definition q_times (p q : Q) : Q := Qred (p * q).
Definition q_minus (p q : Q) : Q := Qred (p - q).

Lemma q_morphism : ring_morph 0%R 1%R Rplus Rmult Rminus Ropp (@Logic.eq R) 0%Q 1%Q q_plus q_times q_minus Qopp Qeq_bool Q2R.
Proof.
  split.
  - exact zero_R.
  - exact one_R.
  - intros. unfold q_plus. rewrite Q2R_red. apply Q2R_plus.
  - intros. unfold q_minus. rewrite Q2R_red. apply Q2R_minus.
  - intros. unfold q_times. rewrite Q2R_red. apply Q2R_mult.
  - intros. apply Q2R_opp.
  - intros x y h. apply Qeq_eqR, Qeq_bool_iff, h.
Qed.

Definition q_addon : SORaddon 0%R 1%R Rplus Rmult Rminus Ropp (@Logic.eq R) Rle
  0%Q 1%Q q_plus q_times q_minus Qopp Qeq_bool Qle_bool Q2R N.to_nat pow.
Proof.
  split.
  - exact q_morphism.
  - exact R_power_theory.
  - intros x y h k. apply eqR_Qeq in k. apply Qeq_bool_iff in k. congruence.
  - intros x y h. apply Qle_bool_R, h.
Qed.

Notation polynomial := (Pol Q).
Definition value (env : Env R) (p : polynomial) : R := eval_pol Rplus Rmult Q2R env p.
Definition plus (p q : polynomial) : polynomial := Padd 0%Q q_plus Qeq_bool p q.
Definition times (p q : polynomial) : polynomial := Pmul 0%Q 1%Q q_plus q_times Qeq_bool p q.
Definition minus_p (p : polynomial) : polynomial := Popp Qopp p.
Definition same (p q : polynomial) : bool := Peq Qeq_bool p q.
Definition constant (c : Q) : polynomial := Pc c.
Definition variable (v : positive) : polynomial := mk_X 0%Q 1%Q v.

Definition extension := Eq_ext Rplus Rmult Ropp.
Definition almost := Rth_ARth (Eqsth R) extension RTheory.

Lemma value_plus env p q : value env (plus p q) = (value env p + value env q)%R.
Proof. apply (Padd_ok (Eqsth R) extension almost q_morphism). Qed.
Lemma value_times env p q : value env (times p q) = (value env p * value env q)%R.
Proof. apply (Pmul_ok (Eqsth R) extension almost q_morphism). Qed.
Lemma value_minus env p : value env (minus_p p) = (- value env p)%R.
Proof. apply (Popp_ok (Eqsth R) extension almost q_morphism). Qed.
Lemma value_same env p q : same p q = true -> value env p = value env q.
Proof. intros h. apply (Peq_ok (Eqsth R) extension q_morphism _ _ h). Qed.
Lemma value_constant env c : value env (constant c) = Q2R c.
Proof. reflexivity. Qed.
Lemma value_variable env v : value env (variable v) = env v.
Proof. symmetry. apply (mkX_ok (Eqsth R) extension almost q_morphism). Qed.

(** A term has its coefficient and the powers of x1, x2, ...; a polynomial its terms. *)
Fixpoint powers (v : positive) (l : list nat) : polynomial :=
  match l with [] => constant 1 | e :: m => Nat.iter e (times (variable v)) (powers (Pos.succ v) m) end.
Definition term (c : Q) (l : list nat) : polynomial := times (constant c) (powers 1 l).
Definition poly (l : list polynomial) : polynomial := fold_right plus (constant 0) l.
Arguments term _%Q _%nat.

(** ** Facts: signs of polynomials *)

Definition fact : Type := NFormula Q.
Definition holds_at (env : Env R) (f : fact) : Prop := eval_nformula 0%R Rplus Rmult (@Logic.eq R) Rle Rlt Q2R env f.
Definition refutes (facts : list fact) (c : Psatz Q) : bool :=
  check_normalised_formulas 0%Q 1%Q q_plus q_times Qeq_bool Qle_bool facts c.

Lemma refutes_R env facts c : refutes facts c = true -> (forall f, In f facts -> holds_at env f) -> False.
Proof.
  intros h k. assert (m := checker_nf_sound Rsor q_addon facts c h env).
  clear h. induction facts as [ | f l IH ]; simpl in *; [ exact m | ].
  specialize (m (k f (or_introl eq_refl))). revert IH m. intros IH m. eauto.
Qed.

Definition is_op (o o' : Op1) : bool :=
  match o, o' with Equal, Equal | Strict, Strict | NonStrict, NonStrict => true | _, _ => false end.

(** What an exponential is called, by its exponent. *)
Definition exponentials : Type := list (polynomial * positive).
Definition exponentials_hold (env : Env R) (l : exponentials) : Prop :=
  forall one, In one l -> env (snd one) = Rtrigo_def.exp (value env (fst one)).

Section Known.
  Context (env : Env R) (facts : list fact) (hold : forall f, In f facts -> holds_at env f).
  Context (exps : exponentials) (hold_exps : exponentials_hold env exps).

  Definition known (o : Op1) (p : polynomial) : bool := existsb (fun f => is_op (snd f) o && same (fst f) p) facts.
  Definition at_most_zero (p : polynomial) : open :=
    match p with
    | Pc c => Some (Qle_bool c 0)
    | _ =>
      if known NonStrict (minus_p p) || known Strict (minus_p p) then Some true
      else if known Strict p then Some false else None
    end.

  Lemma known_R o p : known o p = true -> holds_at env (p, o).
  Proof.
    intros h. apply existsb_exists in h. destruct h as [[q o'] [i h]]. apply andb_prop in h. destruct h as [h k].
    apply hold in i. simpl in *. apply (value_same env) in k. unfold holds_at, eval_nformula, value in *.
    destruct o, o'; try discriminate h; simpl in *; rewrite <- k; exact i.
  Qed.
  Lemma at_most_zero_R p : tells (at_most_zero p) (value env p <= 0)%R.
  Proof.
    assert (h : tells (if known NonStrict (minus_p p) || known Strict (minus_p p) then Some true
      else if known Strict p then Some false else None) (value env p <= 0)%R).
    { destruct (known NonStrict (minus_p p)) eqn:a; [ | destruct (known Strict (minus_p p)) eqn:b ];
        [ | | destruct (known Strict p) eqn:c ]; simpl; trivial.
      - apply known_R in a. unfold holds_at, eval_nformula in a. simpl in a. fold (value env (minus_p p)) in a.
        rewrite value_minus in a. lra.
      - apply known_R in b. unfold holds_at, eval_nformula in b. simpl in b. fold (value env (minus_p p)) in b.
        rewrite value_minus in b. lra.
      - apply known_R in c. unfold holds_at, eval_nformula in c. simpl in c. fold (value env p) in c. lra. }
    destruct p as [c | j q | q j r]; trivial. simpl. unfold value. simpl.
    destruct (Qle_bool c 0) eqn:e; simpl.
    - apply Qle_bool_R in e. rewrite zero_R in e. exact e.
    - apply Qle_bool_not_R in e. rewrite zero_R in e. lra.
  Qed.

  (** A quotient of polynomials, the second positive; or nothing. *)
  Definition quotient : Type := option (polynomial * polynomial).
  Definition is_quotient (x : quotient) (a : R) : Prop :=
    match x with Some (p, q) => (0 < value env q)%R /\ (a * value env q = value env p)%R | None => True end.

  Definition whole (p : polynomial) : quotient := Some (p, constant 1).
  Definition both_of {X} (other : X) (f : polynomial -> polynomial -> polynomial -> polynomial -> X) (x y : quotient) : X :=
    match x, y with Some (p, q), Some (r, s) => f p q r s | _, _ => other end.
  Definition add_q : quotient -> quotient -> quotient := both_of None (fun p q r s =>
    if same q s then Some (plus p r, q) else Some (plus (times p s) (times r q), times q s)).
  Definition mul_q : quotient -> quotient -> quotient := both_of None (fun p q r s => Some (times p r, times q s)).
  Definition opp_q (x : quotient) : quotient := match x with Some (p, q) => Some (minus_p p, q) | None => None end.
  Definition inv_q (x : quotient) : quotient :=
    match x with
    | Some (Pc c, q) => if Qeq_bool c 0 then None else Some (times (constant (Qred (/ c))) q, constant 1)
    | Some (p, q) =>
      match at_most_zero p, at_most_zero (minus_p p) with
      | Some false, _ => Some (q, p)
      | _, Some false => Some (minus_p q, minus_p p)
      | _, _ => None
      end
    | None => None
    end.
  Definition abs_q (x : quotient) : quotient :=
    match x with
    | Some (p, q) =>
      match at_most_zero p, at_most_zero (minus_p p) with
      | Some true, _ | _, Some false => opp_q x
      | Some false, _ | _, Some true => x
      | _, _ => None
      end
    | None => None
    end.
  Definition difference (p q r s : polynomial) : polynomial :=
    if same q s then plus p (minus_p r) else plus (times p s) (minus_p (times r q)).
  Definition le_q : quotient -> quotient -> open := both_of None (fun p q r s => at_most_zero (difference p q r s)).
  Definition lt_q (x y : quotient) : open := not3 (le_q y x).
  Definition eq_q (x y : quotient) : open := and3 (le_q x y) (le_q y x).
  Definition max_q (x y : quotient) : quotient :=
    match le_q x y, le_q y x with Some true, _ | _, Some false => y | Some false, _ | _, Some true => x | _, _ => None end.
  Definition exp_q (x : quotient) : quotient :=
    match x with
    | Some (p, q) =>
      if negb (same q (constant 1)) then None
      else if same p (constant 0) then whole (constant 1)
      else match find (fun one => same (fst one) p) exps with Some (_, v) => whole (variable v) | None => None end
    | None => None
    end.

  Lemma whole_R p : is_quotient (whole p) (value env p).
  Proof. unfold whole, is_quotient. rewrite value_constant, one_R. split; [ lra | ring ]. Qed.
  Ltac quotients := intros;
    repeat match goal with x : quotient |- _ => destruct x as [[? ?]|]; unfold is_quotient in *; trivial end;
    repeat match goal with h : (_ /\ _)%type |- _ => destruct h end.
  Lemma add_R x a y b : is_quotient x a -> is_quotient y b -> is_quotient (add_q x y) (a + b)%R.
  Proof.
    quotients. unfold add_q, both_of. destruct (same _ _) eqn:e; unfold is_quotient.
    - apply (value_same env) in e. rewrite value_plus. split; [ assumption | ]. rewrite <- e in *. nra.
    - rewrite value_plus, !value_times. split; [ apply Rmult_lt_0_compat; assumption | ].
      rewrite Rmult_plus_distr_r. f_equal; nra.
  Qed.
  Lemma mul_R x a y b : is_quotient x a -> is_quotient y b -> is_quotient (mul_q x y) (a * b)%R.
  Proof.
    quotients. unfold mul_q, both_of, is_quotient. rewrite !value_times. split; [ apply Rmult_lt_0_compat; assumption | ].
    match goal with h : (a * ?q)%R = _, k : (b * ?s)%R = _ |- _ =>
      replace (a * b * (q * s))%R with ((a * q) * (b * s))%R by ring; congruence end.
  Qed.
  Lemma opp_R x a : is_quotient x a -> is_quotient (opp_q x) (- a)%R.
  Proof. quotients. unfold opp_q, is_quotient. rewrite value_minus. split; [ assumption | nra ]. Qed.
  Lemma inv_by_sign p q a (h : (0 < value env q)%R) (k : (a * value env q = value env p)%R) :
    is_quotient (match at_most_zero p, at_most_zero (minus_p p) with
      | Some false, _ => Some (q, p) | _, Some false => Some (minus_p q, minus_p p) | _, _ => None end) (/ a)%R.
  Proof.
    assert (s := at_most_zero_R p). assert (t := at_most_zero_R (minus_p p)). rewrite value_minus in t.
    destruct (at_most_zero p) as [[|]|], (at_most_zero (minus_p p)) as [[|]|]; unfold tells, is_quotient in *; trivial;
      rewrite ?value_minus; (split; [ lra | rewrite <- k; field; intros z; subst; lra ]).
  Qed.
  Lemma inv_R x a : is_quotient x a -> is_quotient (inv_q x) (/ a)%R.
  Proof.
    intros h. destruct x as [[p q]|]; [ | exact h ]. destruct h as [h k].
    destruct p as [c | j r | r j s]; try exact (inv_by_sign _ q a h k).
    unfold inv_q. destruct (Qeq_bool c 0) eqn:e; [ exact I | ]. unfold is_quotient. rewrite value_times, !value_constant, one_R, Q2R_red.
    change (Pc c) with (constant c) in k. rewrite value_constant in k. apply Qeq_bool_neq in e.
    assert (n : Q2R c <> 0%R) by (intros z; apply e, eqR_Qeq; rewrite z, zero_R; reflexivity).
    rewrite Q2R_inv by exact e. split; [ lra | ]. rewrite <- k. field. split; [ lra | ].
    intros z. subst. lra.
  Qed.
  Lemma abs_R x a : is_quotient x a -> is_quotient (abs_q x) (Rabs a).
  Proof.
    intros h. assert (o := opp_R x a h). destruct x as [[p q]|]; [ | exact I ]. destruct h as [h k].
    assert (s := at_most_zero_R p). assert (t := at_most_zero_R (minus_p p)). rewrite value_minus in t.
    unfold abs_q. destruct (at_most_zero p) as [[|]|], (at_most_zero (minus_p p)) as [[|]|]; simpl tells in *; trivial;
      first [ rewrite Rabs_left1 by nra; exact o | rewrite Rabs_right by nra; split; assumption ].
  Qed.
  Lemma le_scaled a b m d : (0 < m)%R -> ((a - b) * m)%R = d -> forall t, tells t (d <= 0)%R -> tells t (a <= b)%R.
  Proof.
    intros h e [[|]|] k; unfold tells in *; trivial; subst d.
    - apply Rnot_lt_le. intros l. apply k || apply Rlt_not_le with (2 := k). apply Rmult_lt_0_compat; lra.
    - intros l. apply k. assert (0 <= (b - a) * m)%R by (apply Rmult_le_pos; lra). lra.
  Qed.
  Lemma le_R x a y b : is_quotient x a -> is_quotient y b -> tells (le_q x y) (a <= b)%R.
  Proof.
    destruct x as [[p q]|], y as [[r s]|]; try (intros; exact I). intros [qp h] [sp k].
    unfold le_q, both_of, difference. destruct (same q s) eqn:e.
    - apply (value_same env) in e. apply (le_scaled a b (value env q) _ qp) with (2 := at_most_zero_R _).
      rewrite value_plus, value_minus, <- h, <- k, <- e. ring.
    - apply (le_scaled a b _ _ (Rmult_lt_0_compat _ _ qp sp)) with (2 := at_most_zero_R _).
      rewrite value_plus, value_minus, !value_times, <- h, <- k. ring.
  Qed.
  Lemma lt_R x a y b : is_quotient x a -> is_quotient y b -> tells (lt_q x y) (a < b)%R.
  Proof.
    intros h k. assert (s := le_R y b x a k h). unfold lt_q. destruct (le_q y x) as [[|]|]; simpl in *; trivial; lra.
  Qed.
  Lemma eq_R x a y b : is_quotient x a -> is_quotient y b -> tells (eq_q x y) (a = b).
  Proof.
    intros h k. assert (s := le_R y b x a k h). assert (t := le_R x a y b h k). unfold eq_q.
    destruct (le_q y x) as [[|]|], (le_q x y) as [[|]|]; simpl in *; trivial; lra.
  Qed.
  Lemma max_R x a y b : is_quotient x a -> is_quotient y b -> is_quotient (max_q x y) (Rmax a b).
  Proof.
    intros h k. assert (s := le_R y b x a k h). assert (t := le_R x a y b h k). unfold max_q.
    destruct (le_q y x) as [[|]|], (le_q x y) as [[|]|]; simpl tells in *; trivial;
      first [ rewrite Rmax_right by lra; assumption | rewrite Rmax_left by lra; assumption | exact I ].
  Qed.
  Lemma exp_R x a : is_quotient x a -> is_quotient (exp_q x) (Rtrigo_def.exp a).
  Proof.
    intros h. destruct x as [[p q]|]; [ | exact I ]. destruct h as [h k]. unfold exp_q.
    destruct (same q (constant 1)) eqn:e; simpl negb; [ | exact I ]. apply (value_same env) in e.
    rewrite value_constant, one_R in e. rewrite e, Rmult_1_r in k. subst a.
    destruct (same p (constant 0)) eqn:z.
    - apply (value_same env) in z. rewrite value_constant, zero_R in z. rewrite z, exp_0.
      assert (w := whole_R (constant 1)). rewrite value_constant, one_R in w. exact w.
    - destruct (find _ exps) as [[r v]|] eqn:f; [ | exact I ]. apply find_some in f. destruct f as [i f].
      apply (value_same env) in f. apply hold_exps in i. simpl in *. rewrite <- f, <- i, <- (value_variable env v).
      apply whole_R.
  Qed.

  Definition quotients : Num :=
    computing quotient (fun c => whole (constant (Qred c))) add_q mul_q opp_q inv_q abs_q max_q exp_q
      (fun _ => None) (fun _ => None) le_q lt_q eq_q (fun _ _ => None).
  Definition quotients_agree : Num_R quotients reals.
  Proof.
    apply (computing_agree _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ is_quotient).
    - intros c. assert (w := whole_R (constant (Qred c))). rewrite value_constant, Q2R_red in w. exact w.
    - exact add_R.
    - exact mul_R.
    - exact opp_R.
    - exact inv_R.
    - exact abs_R.
    - exact max_R.
    - exact exp_R.
    - intros; exact I.
    - intros; exact I.
    - exact le_R.
    - exact lt_R.
    - exact eq_R.
    - intros; split; exact I.
  Defined.
End Known.

(** ** A proof by signs *)

Inductive tree : Type :=
  | Done                                          (** the statement is decided by the facts *)
  | Absurd (c : Psatz Q)                          (** a sum of products refutes the facts *)
  | Split (p : polynomial) (below above : tree)   (** p <= 0, or p > 0 *)
  | Zero (p : polynomial) (rest : tree)           (** p = 0, as neither p nor - p is positive *)
  | Positive (k : nat) (rest : tree)              (** exponential k is positive *)
  | Larger (k l : nat) (rest : tree)              (** exponential k is the larger one, as its exponent is known to be *)
  | Multiplied (k l m : nat) (rest : tree)        (** exponentials k and l make m, as their exponents add up *)
  | Tangent (k l : nat) (rest : tree)             (** exponential k lies above the tangent at l *)
  | Monotone (k l : nat) (rest : tree).           (** exponentials k and l are ordered as their exponents *)

Section Check.
  Context (told : list fact -> open) (exps : exponentials).

  Definition exponential (k : nat) : polynomial * polynomial :=
    match nth_error exps k with Some (p, v) => (p, variable v) | None => (constant 0, constant 1) end.
  Fixpoint check (t : tree) (facts : list fact) : bool :=
    match t with
    | Done => match told facts with Some true => true | _ => false end
    | Absurd c => refutes facts c
    | Split p t1 t2 => check t1 ((minus_p p, NonStrict) :: facts) && check t2 ((p, Strict) :: facts)
    | Zero p t1 =>
      match at_most_zero facts p, at_most_zero facts (minus_p p) with
      | Some true, Some true => check t1 ((p, Equal) :: facts) | _, _ => false
      end
    | Positive k t1 => check t1 ((snd (exponential k), Strict) :: facts)
    | Larger k l t1 =>
      let (p, x) := exponential k in let (q, y) := exponential l in
      match at_most_zero facts (plus q (minus_p p)), at_most_zero facts (plus p (minus_p q)) with
      | _, Some false => check t1 ((plus x (minus_p y), Strict) :: facts)
      | Some true, _ => check t1 ((plus x (minus_p y), NonStrict) :: facts)
      | _, _ => false
      end
    | Multiplied k l m t1 =>
      let (p, x) := exponential k in let (q, y) := exponential l in let (r, z) := exponential m in
      same (plus p q) r && check t1 ((plus (times x y) (minus_p z), Equal) :: facts)
    | Tangent k l t1 =>
      let (p, x) := exponential k in let (q, y) := exponential l in
      check t1 ((plus x (minus_p (times y (plus (constant 1) (plus p (minus_p q))))), NonStrict) :: facts)
    | Monotone k l t1 =>
      let (p, x) := exponential k in let (q, y) := exponential l in
      check t1 ((times (plus x (minus_p y)) (plus p (minus_p q)), NonStrict) :: facts)
    end.

  Context (env : Env R) (hold_exps : exponentials_hold env exps).
  Lemma exponential_R k : value env (snd (exponential k)) = Rtrigo_def.exp (value env (fst (exponential k))).
  Proof.
    unfold exponential. destruct (nth_error exps k) as [[p v]|] eqn:e; unfold fst, snd.
    - apply nth_error_In in e. apply hold_exps in e. unfold fst, snd in e. rewrite value_variable. exact e.
    - rewrite !value_constant, zero_R, one_R. symmetry. apply exp_0.
  Qed.

  Definition all_hold (facts : list fact) : Prop := forall f, In f facts -> holds_at env f.
  Lemma one_more p o facts : all_hold facts -> holds_at env (p, o) -> all_hold ((p, o) :: facts).
  Proof. intros h k f [<- | i]; auto. Qed.
  Lemma strict p : (0 < value env p)%R -> holds_at env (p, Strict). Proof. trivial. Qed.
  Lemma not_strict p : (0 <= value env p)%R -> holds_at env (p, NonStrict). Proof. trivial. Qed.
  Lemma equal_to_zero p : value env p = 0%R -> holds_at env (p, Equal). Proof. trivial. Qed.

  Theorem check_R (P : Prop) (h : forall facts, all_hold facts -> tells (told facts) P) t :
    forall facts, all_hold facts -> check t facts = true -> P.
  Proof.
    induction t as [ | c | p t1 H1 t2 H2 | p t1 H1 | k t1 H1 | k l t1 H1 | k l m t1 H1 | k l t1 H1 | k l t1 H1 ]; intros facts hold c0; cbn [check] in c0.
    - specialize (h facts hold). destruct (told facts) as [[|]|]; try discriminate c0. exact h.
    - exfalso. exact (refutes_R env facts c c0 hold).
    - apply andb_prop in c0. destruct c0 as [c1 c2].
      destruct (Rle_lt_dec (value env p) 0) as [l | l].
      + apply (H1 ((minus_p p, NonStrict) :: facts)); trivial. apply one_more, not_strict; trivial. rewrite value_minus. lra.
      + apply (H2 ((p, Strict) :: facts)); trivial. apply one_more, strict; trivial.
    - assert (s := at_most_zero_R env facts hold p). assert (s' := at_most_zero_R env facts hold (minus_p p)).
      rewrite value_minus in s'. destruct (at_most_zero facts p) as [[|]|], (at_most_zero facts (minus_p p)) as [[|]|];
        try discriminate c0. unfold tells in *. revert c0. apply H1, one_more, equal_to_zero; trivial. lra.
    - revert c0. apply H1, one_more, strict; trivial. rewrite exponential_R. apply exp_pos.
    - assert (a := exponential_R k). assert (b := exponential_R l).
      destruct (exponential k) as [p x], (exponential l) as [q y]. unfold fst, snd in a, b.
      assert (s := at_most_zero_R env facts hold (plus q (minus_p p))).
      assert (s' := at_most_zero_R env facts hold (plus p (minus_p q))).
      rewrite value_plus, value_minus in s, s'.
      assert (strictly : ~ (value env p + - value env q <= 0)%R -> (0 < value env x - value env y)%R).
      { intros n. rewrite a, b. assert (g := exp_increasing (value env q) (value env p)). lra. }
      assert (weakly : (value env q + - value env p <= 0)%R -> (0 <= value env x - value env y)%R).
      { intros n. rewrite a, b. destruct (Rle_lt_or_eq_dec (value env q) (value env p)) as [g | g]; [ lra | | rewrite g; lra ].
        apply exp_increasing in g. lra. }
      destruct (at_most_zero facts (plus q (minus_p p))) as [[|]|], (at_most_zero facts (plus p (minus_p q))) as [[|]|];
        try discriminate c0; revert c0; apply H1, one_more; trivial;
        first [ apply strict | apply not_strict ]; rewrite value_plus, value_minus; unfold tells in *; tauto.
    - assert (a := exponential_R k). assert (b := exponential_R l). assert (c := exponential_R m).
      destruct (exponential k) as [p x], (exponential l) as [q y], (exponential m) as [r z]. unfold fst, snd in a, b, c.
      apply andb_prop in c0. destruct c0 as [e c0]. apply (value_same env) in e. rewrite value_plus in e.
      revert c0. apply H1, one_more, equal_to_zero; trivial.
      rewrite value_plus, value_minus, value_times, a, b, c, <- e, exp_plus. lra.
    - assert (a := exponential_R k). assert (b := exponential_R l).
      destruct (exponential k) as [p x], (exponential l) as [q y]. unfold fst, snd in a, b.
      revert c0. apply H1, one_more, not_strict; trivial.
      rewrite value_plus, value_minus, value_times, !value_plus, value_minus, value_constant, one_R, a, b.
      assert (g := exp_ineq1_le (value env p + - value env q)).
      replace (Rtrigo_def.exp (value env p)) with (Rtrigo_def.exp (value env q) * Rtrigo_def.exp (value env p + - value env q))%R
        by (rewrite <- exp_plus; f_equal; ring).
      assert (c := exp_pos (value env q)). nra.
    - assert (a := exponential_R k). assert (b := exponential_R l).
      destruct (exponential k) as [p x], (exponential l) as [q y]. unfold fst, snd in a, b.
      revert c0. apply H1, one_more, not_strict; trivial.
      rewrite value_times, !value_plus, !value_minus, a, b.
      destruct (Rtotal_order (value env p) (value env q)) as [o | [o | o]];
        [ | rewrite o; lra | ]; assert (c := exp_increasing _ _ o); nra.
  Qed.
End Check.

(** ** The entries of a system as variables *)

Definition nothing : quotient := None.
Definition entry0 (first : nat) : quotient := whole (variable (Pos.of_succ_nat first)).
Definition entry1 (first n : nat) : nat -> quotient :=
  fun i => if Nat.ltb i n then entry0 (first + i) else nothing.
Definition entry2 (first n m : nat) : nat -> nat -> quotient :=
  fun i j => if Nat.ltb i n && Nat.ltb j m then entry0 (first + i * m + j) else nothing.
Definition entry3 (first n m l : nat) : nat -> nat -> nat -> quotient :=
  fun i j k => if Nat.ltb i n && Nat.ltb j m && Nat.ltb k l then entry0 (first + (i * m + j) * l + k) else nothing.

(** The reals that the variables stand for. *)
Definition entries_are (l : list R) : Env R := fun v => List.nth (Nat.pred (Pos.to_nat v)) l 0%R.
Lemma entry0_R l first a : List.nth first l 0%R = a -> is_quotient (entries_are l) (entry0 first) a.
Proof.
  intros <-. assert (h := whole_R (entries_are l) (variable (Pos.of_succ_nat first))). rewrite value_variable in h.
  unfold entries_are in h at 2. rewrite SuccNat2Pos.id_succ in h. exact h.
Qed.
Lemma entry1_R l first n (v : nat -> R) : (forall i, i < n -> List.nth (first + i) l 0%R = v i) ->
  forall i j, nat_R i j -> is_quotient (entries_are l) (entry1 first n i) (v j).
Proof.
  intros h i j r. apply nat_R_eq in r. subst. unfold entry1. destruct (Nat.ltb_spec j n); [ | exact I ]. apply entry0_R. auto.
Qed.
Lemma entry2_R l first n m (v : nat -> nat -> R) :
  (forall i, i < n -> forall j, j < m -> List.nth (first + i * m + j) l 0%R = v i j) ->
  forall i i', nat_R i i' -> forall j j', nat_R j j' -> is_quotient (entries_are l) (entry2 first n m i j) (v i' j').
Proof.
  intros h i i' r j j' s. apply nat_R_eq in r, s. subst. unfold entry2.
  destruct (Nat.ltb_spec i' n), (Nat.ltb_spec j' m); try exact I. apply entry0_R. auto.
Qed.
Lemma entry3_R l first n m o (v : nat -> nat -> nat -> R) :
  (forall i, i < n -> forall j, j < m -> forall k, k < o -> List.nth (first + (i * m + j) * o + k) l 0%R = v i j k) ->
  forall i i', nat_R i i' -> forall j j', nat_R j j' -> forall k k', nat_R k k' ->
  is_quotient (entries_are l) (entry3 first n m o i j k) (v i' j' k').
Proof.
  intros h i i' r j j' s k k' t. apply nat_R_eq in r, s, t. subst. unfold entry3.
  destruct (Nat.ltb_spec i' n), (Nat.ltb_spec j' m), (Nat.ltb_spec k' o); try exact I. apply entry0_R. auto.
Qed.
Ltac every_place := intros; repeat match goal with
  | h : ?i < S _ |- _ => is_var i; destruct i; [ clear h | apply Nat.succ_lt_mono in h ]
  | h : ?i < 0 |- _ => inversion h end; reflexivity.
