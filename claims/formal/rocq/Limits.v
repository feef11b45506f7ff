(** Where orbits of a step tend to.

    A certificate says: m turns of p steps lead from the start to s + e, and from s + t e, for every t in (0, 1], p steps lead
    to s + r t e with 0 < r < 1.  Then the states at steps k p + j tend to what j steps make of s + t e as t tends to 0.
    "For every t" is computed, with polynomials in t for numbers. *)
From Coq Require Import Reals QArith Qreals List Bool Arith Lia Lra Psatz.
From Param Require Import Param.
From Formal Require Import Numbers Arrays.
Import ListNotations.
Close Scope Q_scope. Close Scope R_scope. Open Scope nat_scope.

Arguments Q2R : simpl never. Arguments Qred : simpl never. Arguments Qplus : simpl never. Arguments Qmult : simpl never.
Arguments Qopp : simpl never. Arguments Qle_bool : simpl never. Arguments Qeq_bool : simpl never.

(** ** Polynomials, compared on all of (0, 1] *)

Definition poly := list Q.                       (** c_0 + c_1 t + ... *)
Fixpoint padd (p q : poly) : poly :=
  match p, q with [], _ => q | _, [] => p | a :: p', b :: q' => Qred (a + b) :: padd p' q' end.
Definition pscale (c : Q) (p : poly) : poly := map (fun a => Qred (c * a)) p.
Fixpoint pmul (p q : poly) : poly :=
  match p with [] => [] | a :: p' => padd (pscale a q) (0%Q :: pmul p' q) end.
Definition popp (p : poly) : poly := map Qopp p.
Definition psub p q := padd p (popp q).
Definition null (p : poly) := forallb (fun a => Qeq_bool a 0) p.
Definition constant (p : poly) : option Q := match p with [] => Some 0%Q | a :: p' => if null p' then Some a else None end.
Definition at_one (p : poly) : Q := fold_right (fun c t => Qred (c + t)) 0%Q p.
(** c_0, c_0 + c_1, ... are at least 0. *)
Fixpoint sums_nonneg (a : Q) (p : poly) : bool :=
  match p with [] => true | c :: p' => if Qle_bool 0 (Qred (a + c)) then sums_nonneg (Qred (a + c)) p' else false end.
Definition nonneg p := sums_nonneg 0 p.
Definition positive p := if nonneg p then negb (Qle_bool (at_one p) 0) else false.
(** p (a + b t), and a test on smaller and smaller parts of (0, 1]; no need to look closer where an end is negative. *)
Fixpoint compose (a b : Q) (p : poly) : poly :=
  match p with [] => [] | c :: p' => padd [c] (pmul [a; b] (compose a b p')) end.
Definition hopeful (p : poly) : bool := if Qle_bool 0 (at_one p) then match p with [] => true | c :: _ => Qle_bool 0 c end else false.
Fixpoint everywhere (test : poly -> bool) (depth : nat) (p : poly) : bool :=
  if test p then true else if hopeful p then
    match depth with
    | O => false
    | S k => if everywhere test k (compose 0 (1#2) p) then everywhere test k (compose (1#2) (1#2) p) else false
    end else false.
Definition depth := 4.

Local Open Scope R_scope.
Fixpoint value (t : R) (p : poly) : R := match p with [] => 0 | c :: p' => Q2R c + t * value t p' end.

Lemma value_add t p : forall q, value t (padd p q) = value t p + value t q.
Proof. induction p as [ | a p h ]; intros [ | b q ]; simpl; try lra. rewrite h, Q2R_red, Q2R_plus. lra. Qed.
Lemma value_scale t c p : value t (pscale c p) = Q2R c * value t p.
Proof. induction p as [ | a p h ]; simpl; [ lra | ]. fold (pscale c p). rewrite h, Q2R_red, Q2R_mult. lra. Qed.
Lemma value_mul t p q : value t (pmul p q) = value t p * value t q.
Proof. induction p as [ | a p h ]; simpl; [ lra | ]. rewrite value_add, value_scale. simpl. rewrite h, zero_R. lra. Qed.
Lemma value_opp t p : value t (popp p) = - value t p.
Proof. induction p as [ | a p h ]; simpl; [ lra | ]. fold (popp p). rewrite h, Q2R_opp. lra. Qed.
Lemma value_sub t p q : value t (psub p q) = value t p - value t q.
Proof. unfold psub. rewrite value_add, value_opp. lra. Qed.
Lemma value_null t p : null p = true -> value t p = 0.
Proof.
  induction p as [ | a p h ]; simpl; [ lra | ]. fold (null p). rewrite andb_true_iff. intros [e k]. rewrite (h k).
  apply Qeq_bool_iff, Qeq_eqR in e. rewrite e, zero_R. lra.
Qed.
Lemma value_constant t p c : constant p = Some c -> value t p = Q2R c.
Proof.
  destruct p as [ | a p ]; simpl; [ intros [= <-]; symmetry; apply zero_R | ].
  destruct (null p) eqn:e; [ intros [= <-] | discriminate ]. rewrite (value_null _ _ e). lra.
Qed.
Lemma Qle_bool_0 q : Qle_bool 0 q = true -> 0 <= Q2R q.
Proof. intros h. apply Qle_bool_R in h. rewrite zero_R in h. exact h. Qed.
Lemma sums_value t p : 0 <= t <= 1 -> forall a, 0 <= Q2R a -> sums_nonneg a p = true -> 0 <= Q2R a + value t p.
Proof.
  intros ht. induction p as [ | c p h ]; intros a ha; simpl; [ lra | ].
  destruct (Qle_bool 0 (Qred (a + c))) eqn:k1; [ | discriminate ]. intros k2.
  apply Qle_bool_0 in k1. assert (k := h _ k1 k2). rewrite Q2R_red, Q2R_plus in *. nra.
Qed.
Lemma value_one p : value 1 p = Q2R (at_one p).
Proof. induction p as [ | c p h ]; simpl; [ symmetry; apply zero_R | ]. rewrite h, Q2R_red, Q2R_plus. lra. Qed.
Lemma sums_positive t p : 0 < t <= 1 -> forall a, 0 <= Q2R a -> sums_nonneg a p = true -> 0 < Q2R a + value 1 p ->
  0 < Q2R a + value t p.
Proof.
  intros ht. induction p as [ | c p h ]; intros a ha; simpl; [ lra | ].
  destruct (Qle_bool 0 (Qred (a + c))) eqn:k1; [ | discriminate ]. intros k2 l.
  apply Qle_bool_0 in k1. assert (k := h _ k1 k2). rewrite Q2R_red, Q2R_plus in *.
  assert (0 < Q2R a + Q2R c + value t p) by (apply k; lra). nra.
Qed.
Lemma nonneg_value t p : 0 < t <= 1 -> nonneg p = true -> 0 <= value t p.
Proof. intros ht h. assert (k := sums_value t p ltac:(lra) 0%Q). rewrite zero_R in k. specialize (k ltac:(lra) h). lra. Qed.
Lemma positive_value t p : 0 < t <= 1 -> positive p = true -> 0 < value t p.
Proof.
  unfold positive. intros ht. destruct (nonneg p) eqn:h; [ | discriminate ]. rewrite negb_true_iff. intros l.
  assert (k := sums_positive t p ht 0%Q). rewrite zero_R in k.
  assert (0 < value 1 p). { rewrite value_one. apply Qle_bool_not_R in l. rewrite zero_R in l. exact l. }
  specialize (k ltac:(lra) h ltac:(lra)). lra.
Qed.
Lemma value_compose a b t p : value t (compose a b p) = value (Q2R a + t * Q2R b) p.
Proof. induction p as [ | c p h ]; [ reflexivity | ]. cbn [compose]. rewrite value_add, value_mul, h. simpl. ring. Qed.
Lemma everywhere_value (test : poly -> bool) (C : R -> Prop) :
  (forall t p, 0 < t <= 1 -> test p = true -> C (value t p)) ->
  forall k t p, 0 < t <= 1 -> everywhere test k p = true -> C (value t p).
Proof.
  intros h. induction k as [ | k IH ]; intros t p ht; simpl.
  - destruct (test p) eqn:e; [ auto | ]. destruct (hopeful p); discriminate.
  - destruct (test p) eqn:e; [ auto | ]. destruct (hopeful p); [ | discriminate ].
    destruct (everywhere test k (compose 0 (1#2) p)) eqn:t1; [ | discriminate ]. intros t2.
    assert (half : Q2R (1#2) = / 2) by (unfold Q2R; simpl; lra).
    destruct (Rle_lt_dec t (/ 2)) as [l | l].
    + apply (IH (2 * t)) in t1; [ | lra ]. rewrite value_compose, zero_R, half in t1.
      replace (0 + 2 * t * / 2) with t in t1 by lra. exact t1.
    + apply (IH (2 * t - 1)) in t2; [ | lra ]. rewrite value_compose, half in t2.
      replace (/ 2 + (2 * t - 1) * / 2) with t in t2 by lra. exact t2.
Qed.
Definition at_least p := everywhere nonneg depth p.
Definition beyond p := everywhere positive depth p.
Lemma at_least_value t p : 0 < t <= 1 -> at_least p = true -> 0 <= value t p.
Proof. intros ht. apply (everywhere_value nonneg (fun x => 0 <= x)); trivial. intros. apply nonneg_value; trivial. Qed.
Lemma beyond_value t p : 0 < t <= 1 -> beyond p = true -> 0 < value t p.
Proof. intros ht. apply (everywhere_value positive (fun x => 0 < x)); trivial. intros. apply positive_value; trivial. Qed.

Definition p2 (f : poly -> poly -> poly) (p q : option poly) : option poly :=
  match p, q with Some a, Some b => Some (f a b) | _, _ => None end.
Definition compare_on (yes no : poly -> bool) (p q : option poly) : open :=
  match p, q with
  | Some a, Some b => let d := psub b a in if yes d then Some true else if no d then Some false else None
  | _, _ => None
  end.
Definition p_inv (p : poly) : option poly :=
  match constant p with Some c => option_map (fun q => [q]) (q_inv c) | None => None end.
Definition p_abs (p : poly) : option poly := if at_least p then Some p else if at_least (popp p) then Some (popp p) else None.
Definition p_max (p q : poly) : option poly :=
  if at_least (psub q p) then Some q else if at_least (psub p q) then Some p else None.
Definition bind (f : poly -> option poly) (p : option poly) : option poly := match p with Some a => f a | None => None end.
Definition bind2 (f : poly -> poly -> option poly) (p q : option poly) : option poly :=
  match p, q with Some a, Some b => f a b | _, _ => None end.

Definition polynomials : Num :=
  computing (option poly) (fun q => Some [q]) (p2 padd) (p2 pmul) (option_map popp) (bind p_inv) (bind p_abs) (bind2 p_max)
    (fun _ => None) (fun _ => None) (fun _ => None)
    (compare_on at_least (fun d => beyond (popp d))) (compare_on beyond (fun d => at_least (popp d)))
    (compare_on null (fun d => if beyond d then true else beyond (popp d))) (fun _ _ => None).

Section At.
  Context (t : R) (ht : 0 < t <= 1).
  Definition reads (p : option poly) (x : R) : Prop := match p with Some a => value t a = x | None => True end.

  Lemma tells_compare yes no (c : R -> R -> Prop) :
    (forall d, yes d = true -> forall a b, value t d = b - a -> c a b) ->
    (forall d, no d = true -> forall a b, value t d = b - a -> ~ c a b) ->
    forall x a y b, reads x a -> reads y b -> tells (compare_on yes no x y) (c a b).
  Proof.
    intros hy hn [p|] a [q|] b; simpl; trivial. intros <- <-.
    destruct (yes (psub q p)) eqn:e; [ apply (hy _ e); apply value_sub | ].
    destruct (no (psub q p)) eqn:e'; simpl; trivial. apply (hn _ e'). apply value_sub.
  Qed.

  Definition polynomials_agree : Num_R polynomials reals.
  Proof.
    apply (computing_agree _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ reads).
    - intros q. simpl. lra.
    - intros [p|] a [q|] b; simpl; trivial. intros <- <-. apply value_add.
    - intros [p|] a [q|] b; simpl; trivial. intros <- <-. apply value_mul.
    - intros [p|] a; simpl; trivial. intros <-. apply value_opp.
    - intros [p|] a; simpl; trivial. intros <-. unfold p_inv. destruct (constant p) as [c|] eqn:e; simpl; trivial.
      assert (k := v_inv (Some c) (Q2R c) eq_refl). simpl in k. destruct (q_inv c) as [q|]; simpl; trivial.
      rewrite (value_constant _ _ _ e), k. ring.
    - intros [p|] a; simpl; trivial. intros <-. unfold p_abs. destruct (at_least p) eqn:e; simpl.
      + apply (at_least_value t) in e; trivial. symmetry. apply Rabs_pos_eq, e.
      + destruct (at_least (popp p)) eqn:e'; simpl; trivial. apply (at_least_value t) in e'; trivial.
        rewrite value_opp in *. symmetry. rewrite <- Rabs_Ropp. apply Rabs_pos_eq, e'.
    - intros [p|] a [q|] b; simpl; trivial. intros <- <-. unfold p_max. destruct (at_least (psub q p)) eqn:e; simpl.
      + apply (at_least_value t) in e; trivial. rewrite value_sub in e. symmetry. apply Rmax_right. lra.
      + destruct (at_least (psub p q)) eqn:e'; simpl; trivial. apply (at_least_value t) in e'; trivial.
        rewrite value_sub in e'. symmetry. apply Rmax_left. lra.
    - intros; exact I.
    - intros; exact I.
    - intros; exact I.
    - apply tells_compare.
      + intros d h a b e. apply (at_least_value t) in h; trivial. lra.
      + intros d h a b e. apply (beyond_value t) in h; trivial. rewrite value_opp in h. lra.
    - apply tells_compare.
      + intros d h a b e. apply (beyond_value t) in h; trivial. lra.
      + intros d h a b e. apply (at_least_value t) in h; trivial. rewrite value_opp in h. lra.
    - apply tells_compare.
      + intros d h a b e. apply (value_null t) in h. lra.
      + intros d h a b e. destruct (beyond d) eqn:k.
        * apply (beyond_value t) in k; trivial. lra.
        * apply (beyond_value t) in h; trivial. rewrite value_opp in h. lra.
    - intros; split; exact I.
  Defined.
End At.
Close Scope R_scope.

(** ** One ray *)

Definition at_place (l : list (list Q)) (i a : nat) : Q := nth a (nth i l []) 0%Q.
Definition tends (n d : nat) (x : nat -> nat -> nat -> R) (s : nat -> nat -> R) : Prop :=
  forall i a, i < n -> a < d -> Un_cv (fun k => x k i a) (s i a).

Lemma tends_same n d x y s : (forall k i a, x k i a = y k i a) -> tends n d x s -> tends n d y s.
Proof. intros h k i a li la eps he. destruct (k i a li la eps he) as [N l]. exists N. intros m lm. rewrite <- h. apply l, lm. Qed.

Section Ray.
  Context (next : forall num : Num, matrix num -> matrix num) (n d : nat) (start : list (list Q)).
  Definition alike K1 K2 (K_R : Num_R K1 K2) (z1 : matrix K1) (z2 : matrix K2) : Type :=
    forall i a, carrier_R K1 K2 K_R (z1 i a) (z2 i a).
  Context
    (next_alike : forall K1 K2 K_R z1 z2, alike K1 K2 K_R z1 z2 -> alike K1 K2 K_R (next K1 z1) (next K2 z2))
    (outside : forall (z : matrix reals) i a, n <= i \/ d <= a -> next reals z i a = Q2R 0).

  Definition after (num : Num) (k : nat) (z : matrix num) : matrix num := Nat.iter k (next num) z.
  Definition ray (s e : list (list Q)) : matrix polynomials := fun i a => Some [at_place s i a; at_place e i a].
  Definition on_ray (s e : list (list Q)) (t : R) (z : matrix reals) : Prop :=
    forall i a, z i a = (Q2R (at_place s i a) + t * Q2R (at_place e i a))%R.

  Definition places (test : nat -> nat -> bool) : bool := forallb (fun i => forallb (test i) (seq 0 d)) (seq 0 n).
  Definition fits (l : list (list Q)) : bool :=
    if Nat.leb (length l) n then forallb (fun row => Nat.leb (length row) d) l else false.
  Definition turn (s e : list (list Q)) (p : nat) (r : Q) : bool :=
    let z := after polynomials p (ray s e) in
    places (fun i a => match z i a with
      | Some q => null (psub q [at_place s i a; Qred (r * at_place e i a)]) | None => false end).
  Definition arrives (s e : list (list Q)) (m : nat) : bool :=
    let z := after rationals m (table2 rationals start) in
    places (fun i a => match z i a with Some q => Qeq_bool q (at_place s i a + at_place e i a) | None => false end).
  Definition phase (s e : list (list Q)) (j : nat) (limit : list (list Q)) : bool :=
    let z := after polynomials j (ray s e) in
    places (fun i a => match z i a with
      | Some q => Qeq_bool (nth 0 q 0%Q) (at_place limit i a) | None => false end).
  Definition fraction (r : Q) : bool := if Qle_bool r 0 then false else negb (Qle_bool 1 r).
  Definition settles (s e : list (list Q)) (m : nat) (r : Q) (limits : list (list (list Q))) : bool :=
    let p := length limits in
    forallb (fun b => b)
      [Nat.ltb 0 p; fraction r; fits start; fits s; fits e; arrives s e (m * p); turn s e p r;
       forallb (fun j => phase s e j (nth j limits [])) (seq 0 p)].

  Lemma places_at test : places test = true -> forall i a, i < n -> a < d -> test i a = true.
  Proof.
    unfold places. rewrite forallb_forall. intros h i a li la. specialize (h i). rewrite forallb_forall in h.
    apply h; apply in_seq; lia.
  Qed.
  Lemma fits_outside l i a : fits l = true -> n <= i \/ d <= a -> at_place l i a = 0%Q.
  Proof.
    unfold fits. destruct (Nat.leb _ _) eqn:h; [ | discriminate ]. apply Nat.leb_le in h. rewrite forallb_forall. intros k c.
    unfold at_place. destruct (le_lt_dec (length l) i) as [li | li].
    - rewrite (nth_overflow l) by exact li. destruct a; reflexivity.
    - destruct c as [c | c]; [ lia | ]. apply nth_overflow. specialize (k (nth i l []) (nth_In l [] li)).
      apply Nat.leb_le in k. lia.
  Qed.
  Lemma inside_dec i a : (i < n /\ a < d) \/ (n <= i \/ d <= a).
  Proof. lia. Qed.
  Lemma after_alike K1 K2 K_R z1 z2 : alike K1 K2 K_R z1 z2 -> forall k, alike K1 K2 K_R (after K1 k z1) (after K2 k z2).
  Proof. intros h k. induction k as [ | k IH ]; [ exact h | ]. simpl. apply next_alike, IH. Qed.
  Lemma after_outside z k i a : 0 < k -> n <= i \/ d <= a -> after reals k z i a = Q2R 0.
  Proof. destruct k; [ lia | ]. intros _. apply outside. Qed.
  Lemma after_add num j k z : after num (j + k) z = after num j (after num k z).
  Proof. induction j as [ | j h ]; [ reflexivity | ]. simpl. f_equal. exact h. Qed.

  Lemma ray_alike s e t ht z : on_ray s e t z -> alike polynomials reals (polynomials_agree t ht) (ray s e) z.
  Proof. intros h i a. simpl. rewrite h. lra. Qed.

  Lemma one_turn s e p r : 0 < p -> fits s = true -> fits e = true -> turn s e p r = true ->
    forall t z, (0 < t <= 1)%R -> on_ray s e t z -> on_ray s e (Q2R r * t) (after reals p z).
  Proof.
    intros hp fs fe h t z ht hz i a. destruct (inside_dec i a) as [[li la] | o].
    - assert (k := places_at _ h i a li la). cbv beta zeta in k.
      assert (l := after_alike _ _ _ _ _ (ray_alike s e t ht z hz) p i a). simpl in l.
      destruct (after polynomials p (ray s e) i a) as [q|]; [ | discriminate k ]. simpl in l.
      apply (value_null t) in k. rewrite value_sub, l in k. simpl in k. rewrite Q2R_red, Q2R_mult in k. lra.
    - rewrite after_outside, (fits_outside s), (fits_outside e), zero_R by assumption. lra.
  Qed.

  Lemma power_within r k : (0 < r < 1)%R -> (0 < r ^ k <= 1)%R.
  Proof.
    intros h. split; [ apply pow_lt; lra | ]. induction k as [ | k IH ]; simpl; [ lra | ].
    assert (0 < r ^ k)%R by (apply pow_lt; lra). nra.
  Qed.
  Lemma fraction_within r : fraction r = true -> (0 < Q2R r < 1)%R.
  Proof.
    unfold fraction. destruct (Qle_bool r 0) eqn:h; [ discriminate | ]. rewrite negb_true_iff. intros k.
    apply Qle_bool_not_R in h, k. rewrite zero_R in h. rewrite one_R in k. lra.
  Qed.
  Lemma turns s e p r : 0 < p -> fits s = true -> fits e = true -> (0 < Q2R r < 1)%R -> turn s e p r = true ->
    forall z, on_ray s e 1 z -> forall k, on_ray s e (Q2R r ^ k) (after reals (k * p) z).
  Proof.
    intros hp fs fe hr h z hz k. induction k as [ | k IH ]; [ exact hz | ].
    simpl. rewrite after_add. apply (one_turn s e p r); auto using power_within.
  Qed.
  Lemma arrives_R s e m : fits start = true -> fits s = true -> fits e = true -> arrives s e m = true ->
    on_ray s e 1 (after reals m (table2 reals start)).
  Proof.
    intros f0 fs fe h i a. destruct (inside_dec i a) as [[li la] | o].
    - assert (k := places_at _ h i a li la). cbv beta zeta in k.
      assert (l : alike rationals reals rationals_agree (table2 rationals start) (table2 reals start)).
      { intros i' a'. simpl. reflexivity. }
      assert (l' := after_alike _ _ _ _ _ l m i a). simpl in l'.
      destruct (after rationals m (table2 rationals start) i a) as [q|]; [ | discriminate k ]. simpl in l'.
      apply Qeq_bool_iff, Qeq_eqR in k. rewrite l', k, Q2R_plus. lra.
    - rewrite (fits_outside s), (fits_outside e), zero_R by assumption. destruct m as [ | m ].
      + simpl. unfold table2, table1. change (nth a (nth i start []) (Qmake Z0 xH)) with (at_place start i a).
        rewrite fits_outside by assumption. rewrite zero_R. lra.
      + rewrite after_outside, zero_R by (lia || assumption). lra.
  Qed.

  Lemma power_to_zero r : (0 < r < 1)%R -> Un_cv (fun k => r ^ k)%R 0%R.
  Proof.
    intros h eps he. destruct (pow_lt_1_zero r ltac:(rewrite Rabs_pos_eq; lra) eps he) as [N k].
    exists N. intros m l. unfold R_dist. rewrite Rminus_0_r. apply k, l.
  Qed.
  Lemma constant_tends c : Un_cv (fun _ => c) c.
  Proof. intros eps he. exists 0. intros m _. unfold R_dist. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. exact he. Qed.
  Lemma value_tends r q : (0 < r < 1)%R -> Un_cv (fun k => value (r ^ k) q)%R (Q2R (nth 0 q 0%Q)).
  Proof.
    intros h. induction q as [ | c q IH ]; simpl; [ rewrite zero_R; apply constant_tends | ].
    enough (Un_cv (fun k => (Q2R c + r ^ k * value (r ^ k) q)%R) (Q2R c + 0 * Q2R (nth 0 q 0%Q))%R) as k
      by (rewrite Rmult_0_l, Rplus_0_r in k; exact k).
    apply (CV_plus (fun _ => Q2R c)); [ apply constant_tends | ].
    apply (CV_mult (fun k => (r ^ k)%R)); [ apply power_to_zero, h | exact IH ].
  Qed.
  Lemma tends_later u l m : Un_cv (fun k => u (m + k)) l -> Un_cv u l.
  Proof.
    intros h eps he. destruct (h eps he) as [N k]. exists (m + N). intros j lj.
    replace j with (m + (j - m)) by lia. apply k. lia.
  Qed.

  Theorem settles_R s e m r limits : settles s e m r limits = true -> forall j, j < length limits ->
    tends n d (fun k => after reals (k * length limits + j) (table2 reals start)) (table2 reals (nth j limits [])).
  Proof.
    unfold settles. cbv zeta. set (p := length limits). cbn [forallb]. rewrite !andb_true_iff.
    intros (hp & hr & f0 & fs & fe & ha & ht & hl & _) j lj i a li la. apply Nat.ltb_lt in hp. apply fraction_within in hr.
    rewrite forallb_forall in hl. specialize (hl j ltac:(apply in_seq; lia)).
    assert (k0 := places_at _ hl i a li la). cbv beta zeta in k0.
    assert (hz := arrives_R s e (m * p) f0 fs fe ha).
    destruct (after polynomials j (ray s e) i a) as [q|] eqn:eq; [ | discriminate k0 ].
    apply (tends_later _ _ m).
    assert (E : forall k, value (Q2R r ^ k) q = after reals ((m + k) * p + j) (table2 reals start) i a).
    { intros k. replace ((m + k) * p + j) with (j + (k * p + m * p)) by lia. rewrite !after_add.
      assert (o := turns s e p r hp fs fe hr ht _ hz k).
      assert (l := after_alike _ _ _ _ _ (ray_alike s e _ (power_within _ k hr) _ o) j i a). simpl in l. rewrite eq in l.
      exact l. }
    apply Qeq_bool_iff, Qeq_eqR in k0. change (table2 reals (nth j limits []) i a) with (Q2R (at_place (nth j limits []) i a)).
    rewrite <- k0. intros eps he. destruct (value_tends _ q hr eps he) as [N k]. exists N. intros t lt. rewrite <- E. apply k, lt.
  Qed.
  (** A mask of pairs of tokens, such as their neighbours, that is the same at all steps from K on. *)
  Context (mask : forall num : Num, matrix num -> nat -> nat -> Switch num)
    (mask_alike : forall K1 K2 K_R z1 z2, alike K1 K2 K_R z1 z2 ->
      forall i j, Switch_R K1 K2 K_R (mask K1 z1 i j) (mask K2 z2 i j)).
  Definition listed (final : list (list bool)) (i j : nat) : bool := nth j (nth i final []) false.
  Definition is_listed (final : list (list bool)) (found : nat -> nat -> open) : bool :=
    forallb (fun i => forallb (fun j => match found i j with Some b => Bool.eqb b (listed final i j) | None => false end)
      (seq 0 n)) (seq 0 n).
  Definition lasts (s e : list (list Q)) (m p K : nat) (final : list (list bool)) : bool :=
    forallb (fun b => b)
      [forallb (fun k => is_listed final (mask rationals (after rationals k (table2 rationals start)))) (seq K (m * p - K));
       forallb (fun j => is_listed final (mask polynomials (after polynomials j (ray s e)))) (seq 0 p)].

  Lemma listed_at final found i j : is_listed final found = true -> i < n -> j < n -> found i j = Some (listed final i j).
  Proof.
    unfold is_listed. rewrite forallb_forall. intros h li lj. specialize (h i ltac:(apply in_seq; lia)).
    rewrite forallb_forall in h. specialize (h j ltac:(apply in_seq; lia)).
    destruct (found i j) as [b|]; [ apply eqb_prop in h; subst; reflexivity | discriminate ].
  Qed.
  Theorem lasts_R s e m r limits K final :
    settles s e m r limits = true -> lasts s e m (length limits) K final = true ->
    forall k i j, K <= k -> i < n -> j < n -> mask reals (after reals k (table2 reals start)) i j = listed final i j.
  Proof.
    unfold settles, lasts. cbv zeta. set (p := length limits). cbn [forallb]. rewrite !andb_true_iff.
    intros (hp & hr & f0 & fs & fe & ha & ht & _ & _) (h1 & h2 & _) k i j lk li lj.
    apply Nat.ltb_lt in hp. apply fraction_within in hr. rewrite forallb_forall in h1, h2.
    destruct (le_lt_dec (m * p) k) as [late | early].
    - assert (hz := arrives_R s e (m * p) f0 fs fe ha).
      set (q := (k - m * p) / p). set (j' := (k - m * p) mod p).
      assert (E : k = j' + (q * p + m * p)).
      { assert (d' := Nat.div_mod (k - m * p) p ltac:(lia)). unfold q, j'. lia. }
      assert (lj' : j' < p) by (apply Nat.mod_upper_bound; lia).
      rewrite E, !after_add. assert (o := turns s e p r hp fs fe hr ht _ hz q).
      assert (l := after_alike _ _ _ _ _ (ray_alike s e _ (power_within _ q hr) _ o) j').
      assert (b := mask_alike _ _ _ _ _ l i j). specialize (h2 j' ltac:(apply in_seq; lia)).
      rewrite (listed_at _ _ _ _ h2 li lj) in b. simpl in b. symmetry. exact b.
    - assert (l : alike rationals reals rationals_agree (table2 rationals start) (table2 reals start)).
      { intros i' a'. simpl. reflexivity. }
      assert (b := mask_alike _ _ _ _ _ (after_alike _ _ _ _ _ l k) i j). specialize (h1 k ltac:(apply in_seq; lia)).
      rewrite (listed_at _ _ _ _ h1 li lj) in b. simpl in b. symmetry. exact b.
  Qed.
End Ray.

Lemma kept_outside {X} (other : X) n d v i a : n <= i \/ d <= a -> kept2 other n d v i a = other.
Proof.
  unfold kept2. intros [h | h].
  - rewrite (nth_overflow (map _ _)) by (rewrite map_length, seq_length; exact h). destruct a; reflexivity.
  - destruct (le_lt_dec n i) as [l | l].
    + rewrite (nth_overflow (map _ (seq 0 n))) by (rewrite map_length, seq_length; exact l). destruct a; reflexivity.
    + apply nth_overflow. rewrite (nth_indep _ [] (map (v 0) (seq 0 d))) by (rewrite map_length, seq_length; exact l).
      rewrite (map_nth (fun i => map (v i) (seq 0 d))). rewrite map_length, seq_length. exact h.
Qed.
