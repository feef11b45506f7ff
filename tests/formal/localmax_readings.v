(** The localmax step in ordinary notation, written by hand from the paper (2509.15958, Section 2): what the generated
    definitions say for all lengths. *)
Local Open Scope R_scope.

(** <A x, y> = sum_b sum_a A_ba x_a y_b. *)
Definition inner (d : nat) (A : nat -> nat -> R) (x y : nat -> R) : R :=
  rsum d (fun b => rsum d (fun a => x a * A b a) * y b).

(** j is in C_i^delta: no token l has a score <A z_i, z_l> that exceeds <A z_i, z_j> by more than delta. *)
Definition attends_to (f : system reals) (i j : nat) : Prop :=
  forall l, (l < n f)%nat -> inner (d f) (A f) (z f i) (z f l) - inner (d f) (A f) (z f i) (z f j) <= delta f.

(** y is the mean of the tokens in C: their number times y is their sum. *)
Definition is_mean (f : system reals) (C : nat -> bool) (y : nat -> R) : Prop :=
  let number := rsum (n f) (fun j => if C j then 1 else 0) in
  0 < number /\ forall a, (a < d f)%nat -> number * y a = rsum (n f) (fun j => if C j then z f j a else 0).

(** g is f after a step: each token goes the share gamma of its way to the mean of those that it attends to. *)
Definition is_step (f g : system reals) : Prop :=
  n g = n f /\ d g = d f /\ A g = A f /\ gamma g = gamma f /\ delta g = delta f /\
  forall i, (i < n f)%nat -> exists (C : nat -> bool) (c : nat -> R),
    (forall j, (j < n f)%nat -> (C j = true <-> attends_to f i j)) /\ is_mean f C c /\
    forall a, (a < d f)%nat -> z g i a = z f i a + gamma f * (c a - z f i a).

Lemma kept_inside {X} (other : X) n d v i a : (i < n)%nat -> (a < d)%nat -> kept2 other n d v i a = v i a.
Proof.
  intros hi ha. unfold kept2.
  rewrite (nth_indep (map _ (seq 0 n)) [] (map (v O) (seq 0 d))) by (rewrite map_length, seq_length; exact hi).
  rewrite (map_nth (fun i => map (v i) (seq 0 d)) (seq 0 n) O i), seq_nth by exact hi.
  rewrite (nth_indep (map _ (seq 0 d)) other (v (0 + i)%nat O)) by (rewrite map_length, seq_length; exact ha).
  rewrite (map_nth (v (0 + i)%nat) (seq 0 d) O a), seq_nth by exact ha. reflexivity.
Qed.

Lemma folded_largest v l s x :
  fold_left (fun s i => Rmax s (v (S i))) l s <= x <-> s <= x /\ forall i, In i l -> v (S i) <= x.
Proof.
  revert s. induction l as [ | i l h ]; intros s; simpl; [ tauto | ]. rewrite h. split.
  - intros [k m]. assert (h1 := Rmax_l s (v (S i))). assert (h2 := Rmax_r s (v (S i))).
    split; [ lra | ]. intros j [<- | lj]; [ lra | auto ].
  - intros [k m]. split; [ apply Rmax_lub; [ exact k | apply m; left; reflexivity ] | intros j lj; apply m; right; exact lj ].
Qed.
Lemma largest_at_most n v x : (0 < n)%nat -> (largest reals n v <= x <-> forall i, (i < n)%nat -> v i <= x).
Proof.
  destruct n as [ | m ]; [ lia | ]. intros _.
  change (fold_left (fun s i => Rmax s (v (S i))) (seq 0 m) (v O) <= x <-> forall i, (i < S m)%nat -> v i <= x).
  rewrite folded_largest. split.
  - intros [h k] [ | i ] l; [ exact h | ]. apply k, in_seq. lia.
  - intros h. split; [ apply h; lia | ]. intros i l. apply in_seq in l. apply h. lia.
Qed.
Lemma largest_shift n v x y : (0 < n)%nat ->
  (- (x - largest reals n v) <= y <-> forall i, (i < n)%nat -> v i - x <= y).
Proof.
  intros h. replace (- (x - largest reals n v) <= y) with (largest reals n v - x <= y) by (f_equal; ring).
  transitivity (largest reals n v <= y + x); [ split; lra | ]. rewrite largest_at_most by exact h.
  split; intros k i l; specialize (k i l); lra.
Qed.

Theorem neighbours_read (f : system reals) i j : (i < n f)%nat -> (j < n f)%nat ->
  (neighbours reals f i j = true <-> attends_to f i j).
Proof.
  intros hi hj. unfold neighbours. cbv zeta. rewrite kept_inside by assumption.
  unfold gaps at 1. cbv zeta. rewrite kept_inside by assumption.
  change (Rleb (- (scores reals f i j - largest reals (n f) (fun k => scores reals f i k))) (delta f) = true <-> attends_to f i j).
  unfold Rleb. destruct (Rle_dec _ _) as [h | h]; (split; [ | intros k ]).
  - intros _ l hl. rewrite largest_shift in h by lia. specialize (h l hl).
    unfold scores in h. rewrite !kept_inside in h by assumption. exact h.
  - reflexivity.
  - discriminate.
  - exfalso. apply h. apply largest_shift; [ lia | ]. intros l hl. unfold scores. rewrite !kept_inside by assumption.
    exact (k l hl).
Qed.

Lemma tokens_attend_to_someone (f : system reals) i : 0 <= delta f -> (i < n f)%nat ->
  exists j, (j < n f)%nat /\ attends_to f i j.
Proof.
  intros hd hi. set (s := fun l => inner (d f) (A f) (z f i) (z f l)).
  assert (E : forall m, (0 < m)%nat -> exists j, (j < m)%nat /\ forall l, (l < m)%nat -> s l <= s j).
  { induction m as [ | m h ]; [ lia | ]. intros _. destruct (Nat.eq_dec m 0) as [-> | nz].
    - exists O. split; [ lia | ]. intros l hl. replace l with O by lia. lra.
    - destruct (h ltac:(lia)) as [j [hj k]]. destruct (Rle_lt_dec (s j) (s m)) as [a | a].
      + exists m. split; [ lia | ]. intros l hl. destruct (Nat.eq_dec l m) as [-> | ne]; [ lra | ].
        specialize (k l ltac:(lia)). lra.
      + exists j. split; [ lia | ]. intros l hl. destruct (Nat.eq_dec l m) as [-> | ne]; [ lra | ]. apply k. lia. }
  destruct (E (n f) ltac:(lia)) as [j [hj k]]. exists j. split; [ exact hj | ]. intros l hl. specialize (k l hl). unfold s in k. lra.
Qed.

Lemma sum_positive n f : (forall i, (i < n)%nat -> 0 <= f i) -> (exists i, (i < n)%nat /\ 0 < f i) -> 0 < rsum n f.
Proof.
  revert f. induction n as [ | n h ]; intros f k [i [hi p]]; [ lia | ]. rewrite sum_S.
  assert (nonneg : forall m g, (forall i, (i < m)%nat -> 0 <= g i) -> 0 <= rsum m g).
  { induction m as [ | m hm ]; intros g kg; [ rewrite sum_O; lra | ]. rewrite sum_S.
    assert (h0 := kg O ltac:(lia)). assert (h1 := hm (fun i => g (S i)) ltac:(intros; apply kg; lia)). lra. }
  destruct i as [ | i ].
  - assert (h1 := nonneg n (fun i => f (S i)) ltac:(intros; apply k; lia)). lra.
  - assert (h0 := k O ltac:(lia)). assert (h1 := h (fun i => f (S i)) ltac:(intros; apply k; lia) ltac:(exists i; split; [ lia | exact p ])). lra.
Qed.

Theorem step_read (f : system reals) : 0 <= delta f -> is_step f (step reals f).
Proof.
  intros hd. repeat (split; [ reflexivity | ]). intros i hi.
  exists (neighbours reals f i), (targets reals f i). split; [ intros j hj; apply neighbours_read; assumption | ].
  assert (N : 0 < rsum (n f) (fun j => if neighbours reals f i j then 1 else 0)).
  { apply sum_positive; [ intros j _; destruct (neighbours reals f i j); lra | ].
    destruct (tokens_attend_to_someone f i hd hi) as [j [hj k]]. exists j. split; [ exact hj | ].
    apply neighbours_read in k; try assumption. rewrite k. lra. }
  split.
  - split; [ exact N | ]. intros a ha. unfold targets. cbv zeta. rewrite kept_inside by assumption.
    assert (same : forall c x, @pick reals c x (@rational reals 0) = if c then x else 0).
    { intros [|] x; simpl; [ reflexivity | apply zero_R ]. }
    assert (E1 : rsum (n f) (fun k => @pick reals (neighbours reals f i k) (@rational reals 1) (@rational reals 0))
      = rsum (n f) (fun j => if neighbours reals f i j then 1 else 0)).
    { apply sum_ext. intros j _. rewrite same. simpl. rewrite one_R. reflexivity. }
    assert (E2 : rsum (n f) (fun j => @pick reals (neighbours reals f i j) (@rational reals 1) (@rational reals 0) * z f j a)
      = rsum (n f) (fun j => if neighbours reals f i j then z f j a else 0)).
    { apply sum_ext. intros j _. rewrite same. destruct (neighbours reals f i j); simpl; rewrite ?one_R; ring. }
    change (rsum (n f) (fun j => if neighbours reals f i j then 1 else 0)
      * (rsum (n f) (fun j => @pick reals (neighbours reals f i j) (@rational reals 1) (@rational reals 0) * z f j a)
         * / rsum (n f) (fun k => @pick reals (neighbours reals f i k) (@rational reals 1) (@rational reals 0)))
      = rsum (n f) (fun j => if neighbours reals f i j then z f j a else 0)).
    rewrite E1, E2. field. lra.
  - intros a ha. simpl. rewrite kept_inside by assumption. reflexivity.
Qed.
Print Assumptions step_read.
