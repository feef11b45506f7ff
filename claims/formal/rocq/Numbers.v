(** Numbers of one of several kinds, and what can be asserted of them.

    Definitions of claims are written once, over [Num].  Over [reals] an assertion is a [Prop] about R: the statement of the
    paper.  Over numbers that compute it has three values, [None] for "open", and the kernel evaluates it.  Parametricity
    says that what is decided there holds over R: the plugin's terms are checked by the kernel like any other. *)
From Coq Require Import Reals QArith Qreals List Bool Arith Lia Lra.
From Param Require Import Param.
Import ListNotations.
Close Scope Q_scope. Close Scope R_scope. Open Scope nat_scope.

Record Num := MkNum {
  carrier :> Type;
  rational : Q -> carrier;
  add : carrier -> carrier -> carrier; mul : carrier -> carrier -> carrier; opp : carrier -> carrier; inv : carrier -> carrier;
  abs : carrier -> carrier; maximum : carrier -> carrier -> carrier;
  exp : carrier -> carrier; ln : carrier -> carrier; sqrt : carrier -> carrier;
  Switch : Type;                            (** who is a neighbour, which case holds *)
  below : carrier -> carrier -> Switch; truth : bool -> Switch;
  not : Switch -> Switch; and : Switch -> Switch -> Switch; or : Switch -> Switch -> Switch;
  pick : Switch -> carrier -> carrier -> carrier;
  Assertion : Type;
  le : carrier -> carrier -> Assertion; lt : carrier -> carrier -> Assertion; eq : carrier -> carrier -> Assertion;
  holds : Switch -> Assertion;
  both : Assertion -> Assertion -> Assertion; either : Assertion -> Assertion -> Assertion;
  implies : Assertion -> Assertion -> Assertion; neg : Assertion -> Assertion;
  every : nat -> (nat -> Assertion) -> Assertion;           (** for all i < n *)
  some : nat -> (nat -> Assertion) -> Assertion             (** for some i < n *)
}.
Arguments rational {_} _%Q. Arguments add {_}. Arguments mul {_}. Arguments opp {_}. Arguments inv {_}. Arguments abs {_}.
Arguments maximum {_}. Arguments exp {_}. Arguments ln {_}. Arguments sqrt {_}. Arguments below {_}. Arguments truth {_}.
Arguments not {_}. Arguments and {_}. Arguments or {_}. Arguments pick {_}. Arguments le {_}. Arguments lt {_}.
Arguments eq {_}. Arguments holds {_}. Arguments both {_}. Arguments either {_}. Arguments implies {_}. Arguments neg {_}.
Arguments every {_}. Arguments some {_}.

Definition Rleb (x y : R) : bool := if Rle_dec x y then true else false.

Definition reals : Num :=
  MkNum R Q2R Rplus Rmult Ropp Rinv Rabs Rmax Rtrigo_def.exp Rpower.ln R_sqrt.sqrt
    bool Rleb (fun b => b) negb andb orb (fun (b : bool) x y => if b then x else y)
    Prop Rle Rlt (@Logic.eq R) (fun b => b = true) Logic.and Logic.or (fun p q => p -> q) Logic.not
    (fun n p => forall i, i < n -> p i) (fun n p => exists i, i < n /\ p i).

(** ** Three values *)

Definition open := option bool.
Definition not3 (b : open) : open := match b with Some c => Some (negb c) | None => None end.
Definition and3 (b c : open) : open :=
  match b, c with
  | Some false, _ | _, Some false => Some false
  | Some true, Some true => Some true
  | _, _ => None
  end.
Definition or3 (b c : open) : open := not3 (and3 (not3 b) (not3 c)).
Fixpoint all3 (p : nat -> open) (l : list nat) : open :=
  match l with
  | [] => Some true
  | i :: l' => match p i with Some false => Some false | b => and3 b (all3 p l') end
  end.
Definition every3 (n : nat) (p : nat -> open) : open := all3 p (seq 0 n).
Definition some3 (n : nat) (p : nat -> open) : open := not3 (every3 n (fun i => not3 (p i))).

Definition tells (b : open) (p : Prop) : Prop := match b with Some true => p | Some false => ~ p | None => True end.
Definition matches (b : open) (c : bool) : Prop := match b with Some d => d = c | None => True end.

Parametricity Recursive Num.
Parametricity Recursive Assertion.

Lemma nat_R_eq n m : nat_R n m -> n = m.
Proof. induction 1; congruence. Qed.
Lemma nat_R_refl n : nat_R n n.
Proof. induction n; constructor; auto. Qed.
Lemma bool_R_eq b c : bool_R b c -> b = c.
Proof. destruct 1; reflexivity. Qed.
Lemma positive_R_eq p q : positive_R p q -> p = q.
Proof. induction 1; congruence. Qed.
Lemma Z_R_eq x y : Z_R x y -> x = y.
Proof. destruct 1; f_equal; auto using positive_R_eq. Qed.
Lemma Q_R_eq p q : Q_R p q -> p = q.
Proof. destruct 1; f_equal; auto using Z_R_eq, positive_R_eq. Qed.

Lemma tells_and b p (h : tells b p) c q (k : tells c q) : tells (and3 b c) (p /\ q).
Proof. destruct b as [[|]|], c as [[|]|]; simpl in *; tauto. Qed.
Lemma tells_or b p (h : tells b p) c q (k : tells c q) : tells (or3 b c) (p \/ q).
Proof. destruct b as [[|]|], c as [[|]|]; simpl in *; tauto. Qed.
Lemma tells_implies b p (h : tells b p) c q (k : tells c q) : tells (or3 (not3 b) c) (p -> q).
Proof. destruct b as [[|]|], c as [[|]|]; simpl in *; tauto. Qed.
Lemma tells_not b p (h : tells b p) : tells (not3 b) (~ p).
Proof. destruct b as [[|]|]; simpl in *; tauto. Qed.
Lemma all3_cons p i l : all3 p (i :: l) = and3 (p i) (all3 p l).
Proof. simpl. destruct (p i) as [[|]|], (all3 p l) as [[|]|]; reflexivity. Qed.
Lemma tells_every n f g : (forall i, tells (f i) (g i)) -> tells (every3 n f) (forall i, i < n -> g i).
Proof.
  intros h. unfold every3.
  assert (E : forall l, tells (all3 f l) (forall i, In i l -> g i)).
  { induction l as [ | i l IH ]; [ simpl; tauto | ]. rewrite all3_cons.
    assert (k := tells_and _ _ (h i) _ _ IH). destruct (and3 _ _) as [[|]|]; simpl in *; trivial.
    - intros j [<- | y]; [ tauto | apply k, y ].
    - intros a. apply k. split; auto. }
  specialize (E (seq 0 n)). destruct (all3 _ _) as [[|]|]; simpl in *; trivial.
  - intros i l. apply E, in_seq. lia.
  - intros a. apply E. intros i l. apply a. apply in_seq in l. lia.
Qed.
Lemma tells_some n f g : (forall i, tells (f i) (g i)) -> tells (some3 n f) (exists i, i < n /\ g i).
Proof.
  intros h. unfold some3.
  assert (k := tells_every n (fun i => not3 (f i)) (fun i => ~ g i) (fun i => tells_not _ _ (h i))).
  destruct (every3 _ _) as [[|]|]; simpl in *; trivial.
  - intros [i [l a]]. exact (k i l a).
  - destruct (Classical_Prop.classic (exists i, i < n /\ g i)) as [y | y]; [ exact y | exfalso ].
    apply k. intros i l a. apply y. eauto.
Qed.

(** ** Numbers that compute agree with the reals

    [rel x a]: what the computed number x says of the real number a is true. *)
Section Computing.
  Context (N : Type) (rt : Q -> N) (ad mu : N -> N -> N) (op iv ab : N -> N) (mx : N -> N -> N) (ex lg sq : N -> N)
    (lb lts eqs : N -> N -> open) (join : N -> N -> N) (rel : N -> R -> Prop).
  Hypotheses
    (h_rational : forall q, rel (rt q) (Q2R q))
    (h_add : forall x a y b, rel x a -> rel y b -> rel (ad x y) (a + b)%R)
    (h_mul : forall x a y b, rel x a -> rel y b -> rel (mu x y) (a * b)%R)
    (h_opp : forall x a, rel x a -> rel (op x) (- a)%R)
    (h_inv : forall x a, rel x a -> rel (iv x) (/ a)%R)
    (h_abs : forall x a, rel x a -> rel (ab x) (Rabs a))
    (h_maximum : forall x a y b, rel x a -> rel y b -> rel (mx x y) (Rmax a b))
    (h_exp : forall x a, rel x a -> rel (ex x) (Rtrigo_def.exp a))
    (h_ln : forall x a, rel x a -> rel (lg x) (Rpower.ln a))
    (h_sqrt : forall x a, rel x a -> rel (sq x) (R_sqrt.sqrt a))
    (h_le : forall x a y b, rel x a -> rel y b -> tells (lb x y) (a <= b)%R)
    (h_lt : forall x a y b, rel x a -> rel y b -> tells (lts x y) (a < b)%R)
    (h_eq : forall x a y b, rel x a -> rel y b -> tells (eqs x y) (a = b))
    (h_join : forall x a y b, rel x a -> rel y b -> rel (join x y) a /\ rel (join x y) b).

  Definition computing : Num :=
    MkNum N rt ad mu op iv ab mx ex lg sq open lb (fun b => Some b) not3 and3 or3
      (fun b x y => match b with Some true => x | Some false => y | None => join x y end)
      open lb lts eqs (fun b => b) and3 or3 (fun b c => or3 (not3 b) c) not3 every3 some3.

  Definition computing_agree : Num_R computing reals.
  Proof.
    unfold computing, reals.
    eapply (@Num_R_MkNum_R N R rel) with (Assertion_R := tells) (Switch_R := matches).
    all: try (intros; subst).
    - match goal with h : Q_R _ _ |- _ => apply Q_R_eq in h; subst end. apply h_rational.
    - auto.
    - auto.
    - auto.
    - auto.
    - auto.
    - auto.
    - auto.
    - auto.
    - auto.
    - match goal with h : rel ?x _, k : rel ?y _ |- matches (lb ?x ?y) _ => assert (m := h_le _ _ _ _ h k) end. unfold Rleb.
      destruct (lb _ _) as [[|]|]; simpl in *; trivial; destruct (Rle_dec _ _); tauto.
    - match goal with h : bool_R _ _ |- _ => apply bool_R_eq in h; exact h end.
    - match goal with h : matches ?b _ |- _ => destruct b as [[|]|]; simpl in *; subst; trivial end.
    - match goal with h : matches ?b ?c, k : matches ?x ?y |- matches (_ ?b ?x) _ =>
        destruct b as [[|]|], x as [[|]|], c, y; simpl in *; trivial; discriminate end.
    - match goal with h : matches ?b ?c, k : matches ?x ?y |- matches (_ ?b ?x) _ =>
        destruct b as [[|]|], x as [[|]|], c, y; simpl in *; trivial; discriminate end.
    - match goal with h : rel ?x _, k : rel ?y _ |- context [join ?x ?y] => destruct (h_join _ _ _ _ h k) end.
      match goal with h : matches ?b ?c |- _ => destruct b as [[|]|], c; simpl in *; trivial; discriminate end.
    - auto.
    - auto.
    - auto.
    - match goal with h : matches ?b _ |- _ => destruct b as [[|]|]; simpl in *; subst; trivial; discriminate end.
    - apply tells_and; assumption.
    - apply tells_or; assumption.
    - apply tells_implies; assumption.
    - apply tells_not; assumption.
    - match goal with h : nat_R _ _ |- _ => apply nat_R_eq in h; subst end. apply tells_every. intros i. auto using nat_R_refl.
    - match goal with h : nat_R _ _ |- _ => apply nat_R_eq in h; subst end. apply tells_some. intros i. auto using nat_R_refl.
  Defined.
End Computing.

(** ** Rational numbers, or nothing: where there is no rational value nothing is said *)

Definition with2 {X} (f : Q -> Q -> X) (other : X) (x y : option Q) : X :=
  match x, y with Some p, Some q => f p q | _, _ => other end.
Definition with1 {X} (f : Q -> X) (other : X) (x : option Q) : X := match x with Some p => f p | None => other end.
Definition is_value (x : option Q) (a : R) : Prop := match x with Some q => a = Q2R q | None => True end.
Definition Qltb (x y : Q) := negb (Qle_bool y x).
Definition q_inv (p : Q) : option Q := if Qeq_bool p 0 then None else Some (Qred (/ p)).
Definition q_exp (p : Q) : option Q := if Qeq_bool p 0 then Some 1%Q else None.
Definition q_ln (p : Q) : option Q := if Qeq_bool p 1 then Some 0%Q else None.
Definition q_sqrt (p : Q) : option Q := if Qeq_bool p 0 then Some 0%Q else if Qeq_bool p 1 then Some 1%Q else None.
Definition q_abs (p : Q) : Q := if Qle_bool 0 p then p else Qopp p.
Definition q_max (p q : Q) : Q := if Qle_bool p q then q else p.

Lemma Q2R_red q : Q2R (Qred q) = Q2R q.
Proof. apply Qeq_eqR, Qred_correct. Qed.
Lemma Qle_bool_R x y : Qle_bool x y = true <-> (Q2R x <= Q2R y)%R.
Proof. rewrite Qle_bool_iff. split; [ apply Qle_Rle | apply Rle_Qle ]. Qed.
Lemma Qle_bool_not_R x y : Qle_bool x y = false <-> (Q2R y < Q2R x)%R.
Proof.
  assert (h := Qle_bool_R x y). destruct (Qle_bool x y); split; intros k; try discriminate; trivial.
  - exfalso. assert (Q2R x <= Q2R y)%R by tauto. lra.
  - apply Rnot_le_lt. intros l. apply h in l. discriminate.
Qed.
Lemma zero_R : Q2R 0 = 0%R. Proof. apply RMicromega.Q2R_0. Qed.
Lemma one_R : Q2R 1 = 1%R. Proof. apply RMicromega.Q2R_1. Qed.

Ltac values := intros;
  repeat match goal with x : option Q |- _ => destruct x; cbn [is_value with1 with2 tells] in *; subst; trivial end.
Lemma v_inv x a : is_value x a -> is_value (with1 q_inv None x) (/ a)%R.
Proof.
  values. unfold q_inv. destruct (Qeq_bool q 0) eqn:e; simpl; trivial. rewrite Q2R_red, Q2R_inv; trivial.
  intros z. apply Qeq_bool_neq in e. exact (e z).
Qed.
Lemma v_abs x a : is_value x a -> is_value (with1 (fun p => Some (q_abs p)) None x) (Rabs a).
Proof.
  values. unfold q_abs. destruct (Qle_bool 0 q) eqn:e.
  - apply Qle_bool_R in e. rewrite zero_R in e. apply Rabs_pos_eq, e.
  - apply Qle_bool_not_R in e. rewrite zero_R in e. rewrite Q2R_opp. apply Rabs_left, e.
Qed.
Lemma v_max x a y b : is_value x a -> is_value y b -> is_value (with2 (fun p q => Some (q_max p q)) None x y) (Rmax a b).
Proof.
  values. unfold q_max. destruct (Qle_bool _ _) eqn:e.
  - apply Qle_bool_R in e. apply Rmax_right, e.
  - apply Qle_bool_not_R in e. apply Rmax_left. lra.
Qed.
Lemma v_exp x a : is_value x a -> is_value (with1 q_exp None x) (Rtrigo_def.exp a).
Proof.
  values. unfold q_exp. destruct (Qeq_bool q 0) eqn:e; simpl; trivial.
  apply Qeq_bool_eq in e. rewrite (Qeq_eqR _ _ e), zero_R, one_R. apply exp_0.
Qed.
Lemma v_ln x a : is_value x a -> is_value (with1 q_ln None x) (Rpower.ln a).
Proof.
  values. unfold q_ln. destruct (Qeq_bool q 1) eqn:e; simpl; trivial.
  apply Qeq_bool_eq in e. rewrite (Qeq_eqR _ _ e), zero_R, one_R. apply ln_1.
Qed.
Lemma v_sqrt x a : is_value x a -> is_value (with1 q_sqrt None x) (R_sqrt.sqrt a).
Proof.
  values. unfold q_sqrt. destruct (Qeq_bool q 0) eqn:e; [ | destruct (Qeq_bool q 1) eqn:e1 ]; simpl; trivial.
  - apply Qeq_bool_eq in e. rewrite (Qeq_eqR _ _ e), zero_R. apply sqrt_0.
  - apply Qeq_bool_eq in e1. rewrite (Qeq_eqR _ _ e1), one_R. apply sqrt_1.
Qed.
Lemma v_le x a y b : is_value x a -> is_value y b -> tells (with2 (fun p q => Some (Qle_bool p q)) None x y) (a <= b)%R.
Proof.
  values. destruct (Qle_bool _ _) eqn:e; simpl.
  - apply Qle_bool_R, e.
  - apply Qle_bool_not_R in e. lra.
Qed.
Lemma v_lt x a y b : is_value x a -> is_value y b -> tells (with2 (fun p q => Some (Qltb p q)) None x y) (a < b)%R.
Proof.
  values. unfold Qltb. destruct (Qle_bool _ _) eqn:e; simpl.
  - apply Qle_bool_R in e. lra.
  - apply Qle_bool_not_R in e. lra.
Qed.
Lemma v_eq x a y b : is_value x a -> is_value y b -> tells (with2 (fun p q => Some (Qeq_bool p q)) None x y) (a = b).
Proof.
  values. destruct (Qeq_bool _ _) eqn:e; simpl.
  - apply Qeq_eqR, Qeq_bool_iff, e.
  - apply Qeq_bool_neq in e. intros k. apply e, eqR_Qeq, k.
Qed.

Definition rationals : Num :=
  computing (option Q) (fun q => Some q)
    (with2 (fun p q => Some (Qred (p + q))) None) (with2 (fun p q => Some (Qred (p * q))) None)
    (with1 (fun p => Some (Qopp p)) None) (with1 q_inv None) (with1 (fun p => Some (q_abs p)) None)
    (with2 (fun p q => Some (q_max p q)) None) (with1 q_exp None) (with1 q_ln None) (with1 q_sqrt None)
    (with2 (fun p q => Some (Qle_bool p q)) None) (with2 (fun p q => Some (Qltb p q)) None)
    (with2 (fun p q => Some (Qeq_bool p q)) None) (fun _ _ => None).

Definition rationals_agree : Num_R rationals reals.
Proof.
  apply (computing_agree _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ is_value).
  - reflexivity.
  - values. rewrite Q2R_red, Q2R_plus. reflexivity.
  - values. rewrite Q2R_red, Q2R_mult. reflexivity.
  - values. rewrite Q2R_opp. reflexivity.
  - exact v_inv.
  - exact v_abs.
  - exact v_max.
  - exact v_exp.
  - exact v_ln.
  - exact v_sqrt.
  - exact v_le.
  - exact v_lt.
  - exact v_eq.
  - split; exact I.
Defined.

(** ** What is decided by computation *)

Definition statement := forall num : Num, Assertion num.
Definition translated (S : statement) :=
  forall K1 K2 (K_R : Num_R K1 K2), Assertion_R K1 K2 K_R (S K1) (S K2).
Theorem computed (S : statement) (S_R : translated S) : S rationals = Some true -> S reals.
Proof. intros h. assert (k := S_R _ _ rationals_agree). rewrite h in k. exact k. Qed.
