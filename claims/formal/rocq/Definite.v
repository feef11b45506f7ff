(** Positive definite matrices: decided by pivots, asserted of all real vectors. *)
From Coq Require Import Reals QArith List Bool Arith Lia Lra.
From Param Require Import Param.
From Formal Require Import Numbers Arrays.
Import ListNotations.
Close Scope Q_scope. Close Scope R_scope. Open Scope nat_scope.

Section Pivots.
  Context (num : Num).
  Local Open Scope num_scope.
  Definition symmetric (n : nat) (A : matrix num) : Switch num :=
    all num n (fun i => all num n (fun j => equal num (A i j) (A j i))).
  (** Every pivot of Gaussian elimination on A i j, i, j < n, is positive. *)
  Definition positive_pivots (n : nat) : matrix num -> Switch num :=
    nat_rect (fun _ => (matrix num -> Switch num)%type)
      (fun _ => truth true)
      (fun m rest A => and (not (below (A O O) 0)) (rest (kept2 0 m m (fun i j => A (S i) (S j) - A (S i) O * A O (S j) / A O O))))
      n.
  Definition definite_by_pivots (n : nat) (A : matrix num) : Switch num := and (symmetric n A) (positive_pivots n A).
End Pivots.
Parametricity Recursive definite_by_pivots.

Local Open Scope R_scope.
Definition rsum (n : nat) (f : nat -> R) : R := sum reals n f.
(** <v, A v> for v i, i < n. *)
Definition form (n : nat) (A : nat -> nat -> R) (v : nat -> R) : R := rsum n (fun i => rsum n (fun j => v i * A i j * v j)).
(** A is symmetric, and <v, A v> > 0 for every vector v that is not 0. *)
Definition positive_definite (n : nat) (A : nat -> nat -> R) : Prop :=
  (forall i j, (i < n)%nat -> (j < n)%nat -> A i j = A j i) /\
  (forall v : nat -> R, (exists i, (i < n)%nat /\ v i <> 0) -> 0 < form n A v).

Lemma sum_R n f : rsum n f = fold_right (fun i s => f i + s) (Q2R 0) (seq 0 n).
Proof. reflexivity. Qed.
Lemma sum_ext n f g : (forall i, (i < n)%nat -> f i = g i) -> rsum n f = rsum n g.
Proof.
  intros h. rewrite !sum_R. assert (E : forall i, In i (seq 0 n) -> f i = g i) by (intros i l; apply h; apply in_seq in l; lia).
  induction (seq 0 n) as [ | i l IH ]; cbn [fold_right]; [ reflexivity | ].
  rewrite (E i (or_introl eq_refl)), IH; [ reflexivity | ]. intros j m. apply E. right. exact m.
Qed.
Lemma sum_S n f : rsum (S n) f = f O + rsum n (fun i => f (S i)).
Proof.
  rewrite !sum_R. cbn [seq fold_right]. f_equal. rewrite <- seq_shift.
  induction (seq 0 n) as [ | i l IH ]; cbn [map fold_right]; [ reflexivity | ]. rewrite IH. reflexivity.
Qed.
Lemma sum_O f : rsum 0 f = 0.
Proof. rewrite sum_R. cbn [seq fold_right]. apply zero_R. Qed.
Lemma sum_plus : forall n f g, rsum n (fun i => f i + g i) = rsum n f + rsum n g.
Proof.
  induction n as [ | n h ]; intros f g; [ rewrite !sum_O; ring | ].
  rewrite !sum_S, (h (fun i => f (S i))). ring.
Qed.
Lemma sum_scale : forall n c f, rsum n (fun i => c * f i) = c * rsum n f.
Proof.
  induction n as [ | n h ]; intros c f; [ rewrite !sum_O; ring | ]. rewrite !sum_S, (h c (fun i => f (S i))). ring.
Qed.

Lemma all_true n p : all reals n p = true <-> forall i, (i < n)%nat -> p i = true.
Proof.
  unfold all. assert (E : forall l, fold_right (fun i s => andb (p i) s) true l = true <-> forall i, In i l -> p i = true).
  { induction l as [ | i l IH ]; simpl; [ tauto | ]. rewrite andb_true_iff, IH. split.
    - intros [a b] j [<- | m]; auto.
    - intros a. split; auto. }
  split; intros h.
  - intros i l. apply (proj1 (E _) h), in_seq. lia.
  - apply E. intros i l. apply h. apply in_seq in l. lia.
Qed.
Lemma below_true x y : Rleb x y = true <-> x <= y.
Proof. unfold Rleb. destruct (Rle_dec x y); split; intros; trivial; try discriminate; tauto. Qed.
Lemma equal_true x y : equal reals x y = true <-> x = y.
Proof. unfold equal. cbn. rewrite andb_true_iff, !below_true. split; intros; lra. Qed.
Lemma kept2_same n m (v : nat -> nat -> R) i j : (i < n)%nat -> (j < m)%nat -> kept2 (Q2R 0) n m v i j = v i j.
Proof.
  intros hi hj. unfold kept2.
  rewrite nth_indep with (d' := map (v O) (seq 0 m)) by (rewrite map_length, seq_length; exact hi).
  rewrite (map_nth (fun i => map (v i) (seq 0 m))), seq_nth by exact hi. simpl.
  rewrite nth_indep with (d' := v i O) by (rewrite map_length, seq_length; exact hj).
  rewrite map_nth, seq_nth by exact hj. reflexivity.
Qed.

(** With p = A 0 0 <> 0 and b = A 0: <v, A v> = p (v 0 + <b, w>/p)^2 + <w, (rest of A - b b^T / p) w>, w the rest of v. *)
Lemma complete_square n A v :
  A O O <> 0 -> (forall j, (j < n)%nat -> A (S j) O = A O (S j)) ->
  form (S n) A v = A O O * Rsqr (v O + / A O O * rsum n (fun j => A O (S j) * v (S j)))
    + form n (fun i j => A (S i) (S j) + - (A (S i) O * A O (S j) * / A O O)) (fun i => v (S i)).
Proof.
  intros hp hs. unfold form. rewrite sum_S, sum_S. set (p := A O O) in *. set (s := rsum n (fun j => A O (S j) * v (S j))).
  assert (first : rsum n (fun j => v O * A O (S j) * v (S j)) = v O * s).
  { unfold s. rewrite <- sum_scale. apply sum_ext. intros; ring. }
  assert (rest : rsum n (fun i => rsum (S n) (fun j => v (S i) * A (S i) j * v j))
    = v O * s + rsum n (fun i => rsum n (fun j => v (S i) * A (S i) (S j) * v (S j)))).
  { unfold s. rewrite <- sum_scale, <- sum_plus. apply sum_ext. intros i l. rewrite sum_S, (hs i l). ring. }
  assert (square : rsum n (fun i => rsum n (fun j => v (S i) * (A (S i) (S j) + - (A (S i) O * A O (S j) * / p)) * v (S j)))
    = rsum n (fun i => rsum n (fun j => v (S i) * A (S i) (S j) * v (S j))) - / p * (s * s)).
  { transitivity (rsum n (fun i => rsum n (fun j => v (S i) * A (S i) (S j) * v (S j)))
      + rsum n (fun i => (- / p * s) * (A O (S i) * v (S i)))).
    - rewrite <- sum_plus. apply sum_ext. intros i l.
      transitivity (rsum n (fun j => v (S i) * A (S i) (S j) * v (S j))
        + rsum n (fun j => (- / p * (A O (S i) * v (S i))) * (A O (S j) * v (S j)))).
      + rewrite <- sum_plus. apply sum_ext. intros j _. rewrite (hs i l). ring.
      + f_equal. rewrite sum_scale. fold s. ring.
    - rewrite sum_scale. fold s. ring. }
  rewrite first, rest, square. unfold Rsqr. field. exact hp.
Qed.

Theorem pivots_positive : forall n A,
  (forall i j, (i < n)%nat -> (j < n)%nat -> A i j = A j i) -> positive_pivots reals n A = true ->
  forall v : nat -> R, (exists i, (i < n)%nat /\ v i <> 0) -> 0 < form n A v.
Proof.
  induction n as [ | n h ]; intros A sym e v [i [l ne]]; [ lia | ].
  cbn -[kept2] in e. apply andb_true_iff in e. destruct e as [hp e].
  assert (p : 0 < A O O).
  { apply negb_true_iff in hp. unfold Rleb in hp. destruct (Rle_dec _ _) as [y | y]; [ discriminate | ].
    rewrite zero_R in y. lra. }
  rewrite complete_square; [ | lra | intros j k; apply sym; lia ].
  set (M := fun i j => A (S i) (S j) + - (A (S i) O * A O (S j) * / A O O)) in *.
  assert (kept : form n (kept2 (Q2R 0) n n M) (fun i => v (S i)) = form n M (fun i => v (S i))).
  { unfold form. apply sum_ext. intros a la. apply sum_ext. intros b lb. rewrite kept2_same; trivial. }
  assert (symM : forall i j, (i < n)%nat -> (j < n)%nat -> kept2 (Q2R 0) n n M i j = kept2 (Q2R 0) n n M j i).
  { intros a b la lb. rewrite !kept2_same; trivial. unfold M.
    rewrite (sym (S a) (S b)), (sym (S a) O), (sym (S b) O) by lia. ring. }
  assert (sq := Rle_0_sqr (v O + / A O O * rsum n (fun j => A O (S j) * v (S j)))).
  destruct (Classical_Prop.classic (exists i, (i < n)%nat /\ v (S i) <> 0)) as [y | none].
  - specialize (h _ symM e (fun i => v (S i)) y). rewrite kept in h.
    assert (k := Rmult_le_pos _ _ (Rlt_le _ _ p) sq). lra.
  - assert (zero : forall i, (i < n)%nat -> v (S i) = 0).
    { intros a la. destruct (Req_dec (v (S a)) 0); [ assumption | exfalso; eauto ]. }
    assert (z1 : rsum n (fun j => A O (S j) * v (S j)) = 0).
    { rewrite (sum_ext n _ (fun j => 0 * 0)) by (intros j lj; rewrite zero by exact lj; ring). rewrite sum_scale. ring. }
    assert (z2 : form n M (fun i => v (S i)) = 0).
    { unfold form. rewrite (sum_ext n _ (fun j => 0 * 0)), sum_scale; [ ring | ]. intros a la.
      rewrite (sum_ext n _ (fun j => 0 * 0)), sum_scale; [ ring | ]. intros b lb. rewrite (zero a la). ring. }
    rewrite z1, z2. assert (v O <> 0).
    { destruct i; [ exact ne | ]. exfalso. apply ne, zero. lia. }
    rewrite Rmult_0_r, !Rplus_0_r. apply Rmult_lt_0_compat; [ exact p | ]. apply Rlt_0_sqr. assumption.
Qed.

Theorem definite_of_pivots n A : definite_by_pivots reals n A = true -> positive_definite n A.
Proof.
  intros h. unfold definite_by_pivots in h. cbn -[symmetric positive_pivots] in h. apply andb_true_iff in h. destruct h as [s e].
  assert (sym : forall i j, (i < n)%nat -> (j < n)%nat -> A i j = A j i).
  { intros i j li lj. unfold symmetric in s. rewrite all_true in s. specialize (s i li). rewrite all_true in s.
    apply equal_true, s, lj. }
  split; [ exact sym | ]. apply pivots_positive; assumption.
Qed.

(** And the other way round: the pivots of a positive definite matrix are positive. *)
Theorem pivots_of_form : forall n A,
  (forall i j, (i < n)%nat -> (j < n)%nat -> A i j = A j i) ->
  (forall v : nat -> R, (exists i, (i < n)%nat /\ v i <> 0) -> 0 < form n A v) -> positive_pivots reals n A = true.
Proof.
  induction n as [ | n h ]; intros A sym d; [ reflexivity | ].
  assert (p : 0 < A O O).
  { assert (k := d (fun i => match i with O => 1 | S _ => 0 end) (ex_intro _ O (conj (Nat.lt_0_succ n) R1_neq_R0))).
    unfold form in k. rewrite sum_S, sum_S in k.
    assert (z : forall f, (forall i, (i < n)%nat -> f i = 0) -> rsum n f = 0).
    { intros f e. rewrite (sum_ext n f (fun j => 0 * 0)), sum_scale by (intros; rewrite e by assumption; ring). ring. }
    rewrite z in k by (intros; ring). rewrite z in k; [ lra | ].
    intros i l. rewrite sum_S, z by (intros; ring). ring. }
  cbn -[kept2]. apply andb_true_iff. split.
  { apply negb_true_iff. unfold Rleb. destruct (Rle_dec _ _) as [y | y]; trivial. rewrite zero_R in y. lra. }
  set (M := fun i j => A (S i) (S j) + - (A (S i) O * A O (S j) * / A O O)).
  apply h.
  { intros a b la lb. rewrite !kept2_same; trivial. unfold M.
    rewrite (sym (S a) (S b)), (sym (S a) O), (sym (S b) O) by lia. ring. }
  intros w [i [l ne]].
  set (v := fun i => match i with O => - (/ A O O * rsum n (fun j => A O (S j) * w j)) | S j => w j end).
  assert (k : 0 < form (S n) A v) by (apply d; exists (S i); split; [ lia | exact ne ]).
  rewrite complete_square in k; [ | lra | intros j lj; apply sym; lia ].
  assert (z : v O + / A O O * rsum n (fun j => A O (S j) * v (S j)) = 0) by (unfold v; ring).
  rewrite z, Rsqr_0, Rmult_0_r, Rplus_0_l in k. change (0 < form n M w) in k.
  replace (form n (kept2 (Q2R 0) n n M) w) with (form n M w); [ exact k | ].
  unfold form. apply sum_ext. intros a la. apply sum_ext. intros b lb. rewrite kept2_same; trivial.
Qed.
Theorem pivots_of_definite n A : positive_definite n A -> definite_by_pivots reals n A = true.
Proof.
  intros [s d]. unfold definite_by_pivots. cbn -[symmetric positive_pivots]. apply andb_true_iff. split.
  - unfold symmetric. apply all_true. intros i li. apply all_true. intros j lj. apply equal_true. auto.
  - apply pivots_of_form; assumption.
Qed.
