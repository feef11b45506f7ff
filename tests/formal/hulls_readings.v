(** What the library says of hulls, on points of a line that anybody can check. *)
Local Open Scope R_scope.

Definition on_the_line (l : list R) : nat -> nat -> R := fun i _ => nth i l 0.
Definition place (p : R) : nat -> R := fun _ => p.

Lemma sums2 f : rsum 2 f = f 0%nat + f 1%nat.
Proof. rewrite !sum_S, sum_O. ring. Qed.
Lemma sums1 f : rsum 1 f = f 0%nat.
Proof. rewrite sum_S, sum_O. ring. Qed.

Theorem a_segment p : in_hull 2 1 (on_the_line [0; 1]) (place p) <-> 0 <= p <= 1.
Proof.
  split.
  - intros [w [[pos one] h]]. specialize (h 0%nat Nat.lt_0_1). rewrite sums2 in *. unfold on_the_line, place in h. simpl in h.
    assert (0 <= w 0%nat) by (apply pos; lia). assert (0 <= w 1%nat) by (apply pos; lia). lra.
  - intros [l r]. exists (fun i => match i with O => 1 - p | _ => p end). split; [ split | ].
    + intros [ | i ] _; lra.
    + rewrite sums2. lra.
    + intros a _. rewrite sums2. unfold on_the_line, place. simpl. lra.
Qed.

(** There is one list of vertices, up to its order. *)
Theorem vertices_are_unique n d x l m : vertices n d x l -> vertices n d x m -> forall i, (i < n)%nat -> (In i l <-> In i m).
Proof. intros h k i li. rewrite (h i li), (k i li). tauto. Qed.

(** Of 0, 0 and 1 the vertices are the first and the last. *)
Lemma of_three (l : list nat) : (vertices 3 1 (on_the_line [0; 0; 1]) l -> In 0%nat l /\ ~ In 1%nat l /\ In 2%nat l).
Proof.
  intros h.
  assert (h1 : ~ In 1%nat l).
  { intros k. apply h in k; [ | lia ]. destruct k as [_ k]. apply (k 0%nat); [ lia | ]. intros a _. reflexivity. }
  assert (zero : extreme 3 1 (on_the_line [0; 0; 1]) 0).
  { intros [w [[pos one] [ha none]]]. specialize (ha 0%nat Nat.lt_0_1).
    assert (w 0%nat = 0) by (apply none; [ lia | intros a _; reflexivity ]).
    assert (w 1%nat = 0) by (apply none; [ lia | intros a _; reflexivity ]).
    rewrite !sum_S, sum_O in *. unfold on_the_line in ha. simpl in ha. lra. }
  assert (last : extreme 3 1 (on_the_line [0; 0; 1]) 2).
  { intros [w [[pos one] [ha none]]]. specialize (ha 0%nat Nat.lt_0_1).
    assert (w 2%nat = 0) by (apply none; [ lia | intros a _; reflexivity ]).
    rewrite !sum_S, sum_O in *. unfold on_the_line in ha. simpl in ha. lra. }
  repeat split; trivial.
  - apply h; [ lia | ]. split; [ exact zero | intros j lj; lia ].
  - apply h; [ lia | ]. split; [ exact last | ]. intros [ | [ | j ] ] lj s; try lia; specialize (s 0%nat Nat.lt_0_1);
      unfold on_the_line in s; simpl in s; lra.
Qed.

(** What lies between two others is no vertex. *)
Theorem between_two : ~ extreme 3 1 (on_the_line [0; 2; 1]) 2.
Proof.
  intros h. apply h. exists (fun i => match i with O => / 2 | S O => / 2 | _ => 0 end). split; [ split | split ].
  - intros [ | [ | i ] ] _; lra.
  - rewrite !sum_S, sum_O. lra.
  - intros a _. rewrite !sum_S, sum_O. unfold on_the_line. simpl. lra.
  - intros [ | [ | [ | j ] ] ] lj s; try lia; try lra; specialize (s 0%nat Nat.lt_0_1); unfold on_the_line in s; simpl in s; lra.
Qed.

(** x^2 is least on [1, 2] at 1, and at no other point. *)
Theorem least_at_one p : least_on_hull 2 1 (on_the_line [1; 2]) (fun _ _ => 1) (place p) <-> p = 1.
Proof.
  assert (within : forall q, in_hull 2 1 (on_the_line [1; 2]) (place q) <-> 1 <= q <= 2).
  { intros q. split.
    - intros [w [[pos one] h]]. specialize (h 0%nat Nat.lt_0_1). rewrite sums2 in *. unfold on_the_line, place in h. simpl in h.
      assert (0 <= w 0%nat) by (apply pos; lia). assert (0 <= w 1%nat) by (apply pos; lia). lra.
    - intros [l r]. exists (fun i => match i with O => 2 - q | _ => q - 1 end). split; [ split | ].
      + intros [ | i ] _; lra.
      + rewrite sums2. lra.
      + intros a _. rewrite sums2. unfold on_the_line, place. simpl. lra. }
  assert (squares : forall y, form 1 (fun _ _ => 1) y = y 0%nat * y 0%nat).
  { intros y. unfold form. rewrite !sums1. ring. }
  split.
  - intros [h k]. apply within in h. specialize (k (place 1)). rewrite !squares in k. unfold place in k.
    assert (p * p <= 1 * 1) by (apply k, within; lra). nra.
  - intros ->. split; [ apply within; lra | ]. intros y [w [hw h]]. rewrite !squares.
    assert (in_y : in_hull 2 1 (on_the_line [1; 2]) (place (y 0%nat))).
    { exists w. split; [ exact hw | ]. intros a la. replace a with 0%nat by lia. apply h. lia. }
    apply within in in_y. unfold place. nra.
Qed.
