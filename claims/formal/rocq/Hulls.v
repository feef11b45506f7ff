(** Hulls of finitely many points: what lies in one, which points are vertices, where an energy is least.

    What a theorem says of hulls is said here of real numbers, in ordinary notation.  What the kernel computes in its place
    has witnesses: convex weights, separating directions, sums of squares. *)
From Coq Require Import Reals QArith List Bool Arith Lia Lra.
From Param Require Import Param.
From Formal Require Import Numbers Arrays Definite.
Import ListNotations.
Close Scope Q_scope. Close Scope R_scope. Open Scope nat_scope.

(** ** What is said, of points x i = (x i 0, ..., x i (d - 1)), i < n *)

Local Open Scope R_scope.
Definition dot (d : nat) (u v : nat -> R) : R := rsum d (fun a => u a * v a).
Definition convex_weights (n : nat) (w : nat -> R) : Prop := (forall i, (i < n)%nat -> 0 <= w i) /\ rsum n w = 1.
(** p = sum w_i x_i *)
Definition averages (n d : nat) (x : nat -> nat -> R) (w p : nat -> R) : Prop :=
  forall a, (a < d)%nat -> p a = rsum n (fun i => w i * x i a).
Definition in_hull (n d : nat) (x : nat -> nat -> R) (p : nat -> R) : Prop :=
  exists w, convex_weights n w /\ averages n d x w p.
Definition outside_hull (n d : nat) (x : nat -> nat -> R) (p : nat -> R) : Prop := ~ in_hull n d x p.
Definition same_point (d : nat) (u v : nat -> R) : Prop := forall a, (a < d)%nat -> u a = v a.
(** x i is no average of other points *)
Definition extreme (n d : nat) (x : nat -> nat -> R) (i : nat) : Prop :=
  ~ exists w, convex_weights n w /\ averages n d x w (x i) /\ (forall j, (j < n)%nat -> same_point d (x j) (x i) -> w j = 0).
(** l lists the vertices of the hull: of tokens at one place the first *)
Definition vertices (n d : nat) (x : nat -> nat -> R) (l : list nat) : Prop :=
  forall i, (i < n)%nat ->
    (In i l <-> extreme n d x i /\ forall j, (j < i)%nat -> ~ same_point d (x j) (x i)).
(** p is in the hull, and <By, y> >= <Bp, p> for all y in the hull *)
Definition least_on_hull (n d : nat) (x B : nat -> nat -> R) (p : nat -> R) : Prop :=
  in_hull n d x p /\ forall y, in_hull n d x y -> form d B p <= form d B y.
Local Close Scope R_scope.

(** ** What is computed *)

Section Witnesses.
  Context (num : Num) (n d : nat) (x : matrix num).
  Local Open Scope num_scope.
  Definition inner_of (u v : nat -> num) : num := sum num d (fun a => u a * v a).
  Definition same_of (u v : nat -> num) : Switch num := all num d (fun a => equal num (u a) (v a)).
  Definition averages_of (w p : nat -> num) : Switch num :=
    and (and (all num n (fun i => below 0 (w i))) (equal num (sum num n w) 1))
        (all num d (fun a => equal num (p a) (sum num n (fun i => w i * x i a)))).
  Definition in_hull_shown (p w : nat -> num) : Switch num := averages_of w p.
  (** <u, x_j> > <u, p> for all j *)
  Definition outside_hull_shown (p u : nat -> num) : Switch num :=
    all num n (fun j => not (below (inner_of u (x j)) (inner_of u p))).
  Definition seen_before (i : nat) : Switch num := not (all num i (fun j => not (same_of (x j) (x i)))).
  Definition vertices_shown (l : list nat) (U W : matrix num) : Switch num :=
    all num n (fun i =>
      if existsb (Nat.eqb i) l
      then and (not (seen_before i))
             (all num n (fun j => or (same_of (x j) (x i)) (not (below (inner_of (U i) (x i)) (inner_of (U i) (x j))))))
      else or (seen_before i)
             (and (averages_of (W i) (x i)) (all num n (fun j => or (not (same_of (x j) (x i))) (equal num (W i j) 0))))).
  Definition form_of (B : matrix num) (u v : nat -> num) : num :=
    sum num d (fun a => sum num d (fun b => u a * B a b * v b)).
  (** <Bx_i, x_j> - <Bp, p> = sum_k c_k l_k,i l_k,j + N_i,j with c >= 0 and N >= 0 *)
  Definition least_on_hull_shown (B : matrix num) (p w c : nat -> num) (L N : matrix num) : Switch num :=
    and (averages_of w p)
        (all num n (fun i => and (below 0 (c i)) (all num n (fun j => and (below 0 (N i j))
          (equal num (form_of B (x i) (x j) - form_of B p p) (sum num n (fun k => c k * (L k i * L k j)) + N i j)))))).
End Witnesses.
Parametricity Recursive existsb.
Parametricity Recursive in_hull_shown.
Parametricity Recursive outside_hull_shown.
Parametricity Recursive vertices_shown.
Parametricity Recursive least_on_hull_shown.

(** ** That what is computed proves what is said *)

Local Open Scope R_scope.
Lemma and_true b c : andb b c = true <-> b = true /\ c = true.
Proof. apply andb_true_iff. Qed.
Lemma beyond_true x y : negb (Rleb x y) = true <-> y < x.
Proof. rewrite negb_true_iff. unfold Rleb. destruct (Rle_dec x y); split; intros; try discriminate; trivial; lra. Qed.
Lemma same_true d u v : same_of reals d u v = true <-> same_point d u v.
Proof.
  unfold same_of, same_point. rewrite all_true. split; intros h a l; [ apply equal_true, h, l | apply equal_true, h, l ].
Qed.
Lemma not_same_true d u v : negb (same_of reals d u v) = true <-> ~ same_point d u v.
Proof. rewrite <- same_true. destruct (same_of reals d u v); simpl; split; intros; congruence. Qed.
Lemma averages_true n d x w p : averages_of reals n d x w p = true <-> convex_weights n w /\ averages n d x w p.
Proof.
  unfold averages_of. cbn -[all equal sum]. rewrite !and_true, !all_true, equal_true.
  assert (E : sum reals n w = rsum n w) by reflexivity.
  split.
  - intros [[h1 h2] h3]. split; [ split | ].
    + intros i l. specialize (h1 i l). apply below_true in h1. rewrite zero_R in h1. exact h1.
    + rewrite <- E, h2. apply one_R.
    + intros a l. apply equal_true, h3, l.
  - intros [[h1 h2] h3]. split; [ split | ].
    + intros i l. apply below_true. rewrite zero_R. apply h1, l.
    + rewrite E, h2. symmetry. apply one_R.
    + intros a l. apply equal_true, h3, l.
Qed.
Theorem in_hull_of_witness n d x p w : in_hull_shown reals n d x p w = true -> in_hull n d x p.
Proof. intros h. exists w. apply averages_true, h. Qed.

Lemma sum_zero n f : (forall i, (i < n)%nat -> f i = 0) -> rsum n f = 0.
Proof. intros h. rewrite (sum_ext n f (fun j => 0 * 0)), sum_scale by (intros; rewrite h by assumption; ring). ring. Qed.
Lemma sum_nonneg n : forall f, (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= rsum n f.
Proof.
  induction n as [ | n h ]; intros f k; [ rewrite sum_O; lra | ]. rewrite sum_S.
  assert (0 <= f O) by (apply k; lia). assert (0 <= rsum n (fun i => f (S i))) by (apply h; intros; apply k; lia). lra.
Qed.
Lemma sum_all_zero n : forall f, (forall i, (i < n)%nat -> 0 <= f i) -> rsum n f = 0 -> forall i, (i < n)%nat -> f i = 0.
Proof.
  induction n as [ | n h ]; intros f k e i l; [ lia | ]. rewrite sum_S in e.
  assert (0 <= f O) by (apply k; lia). assert (0 <= rsum n (fun i => f (S i))) by (apply sum_nonneg; intros; apply k; lia).
  destruct i; [ lra | ]. apply (h (fun i => f (S i))); [ intros; apply k; lia | lra | lia ].
Qed.
Lemma sum_swap n m f : rsum n (fun i => rsum m (fun j => f i j)) = rsum m (fun j => rsum n (fun i => f i j)).
Proof.
  revert f. induction n as [ | n h ]; intros f.
  - rewrite sum_O. symmetry. apply sum_zero. intros. apply sum_O.
  - rewrite sum_S, (h (fun i => f (S i))), <- sum_plus. apply sum_ext. intros j l. rewrite sum_S. reflexivity.
Qed.
(** <u, sum w_i x_i> = sum w_i <u, x_i> *)
Lemma dot_average n d x u w p : averages n d x w p -> dot d u p = rsum n (fun i => w i * dot d u (x i)).
Proof.
  intros h. unfold dot. transitivity (rsum d (fun a => rsum n (fun i => w i * (u a * x i a)))).
  - apply sum_ext. intros a l. rewrite (h a l), <- sum_scale. apply sum_ext. intros; ring.
  - rewrite sum_swap. apply sum_ext. intros i l. rewrite <- sum_scale. apply sum_ext. intros; ring.
Qed.
(** sum w_i (<u, x_i> - <u, p>) = 0 *)
Lemma slopes_vanish n d x u w p : convex_weights n w -> averages n d x w p ->
  rsum n (fun i => w i * (dot d u (x i) - dot d u p)) = 0.
Proof.
  intros [_ one] h. assert (k := dot_average n d x u w p h).
  transitivity (rsum n (fun i => w i * dot d u (x i)) + rsum n (fun i => (- dot d u p) * w i)).
  - rewrite <- sum_plus. apply sum_ext. intros; ring.
  - rewrite sum_scale, one, <- k. ring.
Qed.
Theorem outside_hull_of_witness n d x p u : outside_hull_shown reals n d x p u = true -> outside_hull n d x p.
Proof.
  unfold outside_hull_shown. rewrite all_true. intros h [w [hw ha]].
  assert (far : forall j, (j < n)%nat -> 0 < dot d u (x j) - dot d u p).
  { intros j l. specialize (h j l). apply beyond_true in h. unfold dot. unfold inner_of in h. unfold rsum. cbn in h |- *. lra. }
  assert (z := slopes_vanish n d x u w p hw ha). destruct hw as [pos one].
  assert (each : forall i, (i < n)%nat -> w i * (dot d u (x i) - dot d u p) = 0).
  { apply sum_all_zero; [ | exact z ]. intros i l. specialize (far i l). specialize (pos i l). nra. }
  assert (nothing : rsum n w = 0); [ | lra ].
  apply sum_zero. intros i l. specialize (far i l). specialize (each i l). nra.
Qed.

Lemma seen_before_true d x i : seen_before reals d x i = true <-> exists j, (j < i)%nat /\ same_point d (x j) (x i).
Proof.
  unfold seen_before. cbn -[all same_of]. rewrite negb_true_iff. split.
  - intros h. destruct (Classical_Prop.classic (exists j, (j < i)%nat /\ same_point d (x j) (x i))) as [y | none]; trivial.
    exfalso. enough (all reals i (fun j => negb (same_of reals d (x j) (x i))) = true) by congruence.
    apply all_true. intros j l. apply not_same_true. intros s. apply none. eauto.
  - intros [j [l s]]. destruct (all _ _ _) eqn:e; trivial. rewrite all_true in e. specialize (e j l).
    apply not_same_true in e. tauto.
Qed.
Theorem vertices_of_witness n d x l U W : vertices_shown reals n d x l U W = true -> vertices n d x l.
Proof.
  unfold vertices_shown. rewrite all_true. intros h i li. specialize (h i li).
  assert (inl : existsb (Nat.eqb i) l = true <-> In i l).
  { rewrite existsb_exists. split; [ intros [j [a b]]; apply Nat.eqb_eq in b; subst; exact a | ].
    intros a. exists i. split; [ exact a | apply Nat.eqb_refl ]. }
  destruct (existsb (Nat.eqb i) l) eqn:e.
  - cbn -[all same_of inner_of seen_before] in h. apply and_true in h. destruct h as [fresh apart]. rewrite all_true in apart.
    split; [ | intros _; apply inl; reflexivity ]. intros _. split.
    + intros [w [hw [ha none]]]. assert (z := slopes_vanish n d x (fun a => - U i a) w (x i) hw ha).
      assert (gap : forall j, (j < n)%nat -> same_point d (x j) (x i) \/
        0 < dot d (fun a => - U i a) (x j) - dot d (fun a => - U i a) (x i)).
      { intros j lj. specialize (apart j lj). apply orb_true_iff in apart. destruct apart as [s | s].
        - left. apply same_true, s.
        - right. apply beyond_true in s.
          assert (flip : forall v, dot d (fun a => - U i a) v = - inner_of reals d (U i) v).
          { intros v. unfold dot. transitivity (rsum d (fun a => -1 * (U i a * v a))); [ apply sum_ext; intros; ring | ].
            rewrite sum_scale. unfold inner_of, rsum. cbn. ring. }
          rewrite !flip. lra. }
      destruct hw as [pos one].
      assert (each : forall j, (j < n)%nat ->
        w j * (dot d (fun a => - U i a) (x j) - dot d (fun a => - U i a) (x i)) = 0).
      { apply sum_all_zero; [ | exact z ]. intros j lj. destruct (gap j lj) as [s | s].
        - rewrite (none j lj s). lra.
        - specialize (pos j lj). nra. }
      assert (nothing : rsum n w = 0); [ | lra ]. apply sum_zero. intros j lj. destruct (gap j lj) as [s | s].
      * apply none; assumption.
      * specialize (each j lj). nra.
    + intros j lj s. apply negb_true_iff in fresh.
      assert (k : seen_before reals d x i = true) by (apply seen_before_true; eauto). congruence.
  - split; [ intros a; apply inl in a; discriminate | ]. intros [ex first]. exfalso.
    cbn -[all same_of inner_of seen_before averages_of equal] in h. apply orb_true_iff in h. destruct h as [h | h].
    + apply seen_before_true in h. destruct h as [j [lj s]]. exact (first j lj s).
    + apply and_true in h. destruct h as [ha hz]. apply averages_true in ha. rewrite all_true in hz. apply ex.
      exists (W i). split; [ apply ha | split; [ apply ha | ] ]. intros j lj s. specialize (hz j lj).
      apply orb_true_iff in hz. destruct hz as [k | k]; [ apply not_same_true in k; tauto | ].
      apply equal_true in k. rewrite zero_R in k. exact k.
Qed.

Definition form2 (d : nat) (B : nat -> nat -> R) (u v : nat -> R) : R :=
  rsum d (fun a => rsum d (fun b => u a * B a b * v b)).
Lemma form2_right d B u v : form2 d B u v = dot d (fun b => rsum d (fun a => u a * B a b)) v.
Proof.
  unfold form2, dot. rewrite sum_swap. apply sum_ext. intros b l.
  rewrite (sum_ext d _ (fun a => v b * (u a * B a b))) by (intros; ring). rewrite sum_scale. ring.
Qed.
Lemma form2_left d B u v : form2 d B u v = dot d (fun a => rsum d (fun b => B a b * v b)) u.
Proof.
  unfold form2, dot. apply sum_ext. intros a l.
  rewrite (sum_ext d _ (fun b => u a * (B a b * v b))) by (intros; ring). rewrite sum_scale. ring.
Qed.
(** <By, y> = sum v_i v_j <Bx_i, x_j> for y = sum v_i x_i *)
Lemma form_average n d x B v y : averages n d x v y ->
  form d B y = rsum n (fun i => v i * rsum n (fun j => v j * form2 d B (x i) (x j))).
Proof.
  intros h. change (form2 d B y y = rsum n (fun i => v i * rsum n (fun j => v j * form2 d B (x i) (x j)))).
  rewrite form2_left, (dot_average n d x _ v y h). apply sum_ext. intros i l. f_equal.
  rewrite <- form2_left, form2_right, (dot_average n d x _ v y h). apply sum_ext. intros j lj. f_equal.
  rewrite <- form2_right. reflexivity.
Qed.
Theorem least_on_hull_of_witness n d x B p w c L N :
  least_on_hull_shown reals n d x B p w c L N = true -> least_on_hull n d x B p.
Proof.
  unfold least_on_hull_shown. cbn -[all sum equal averages_of form_of]. rewrite and_true, all_true. intros [ha hm].
  split; [ exists w; apply averages_true, ha | ]. intros y [v [[pos one] hv]].
  assert (hc : forall i, (i < n)%nat -> 0 <= c i).
  { intros i l. specialize (hm i l). apply and_true in hm. destruct hm as [k _]. apply below_true in k.
    rewrite zero_R in k. exact k. }
  assert (hN : forall i j, (i < n)%nat -> (j < n)%nat -> 0 <= N i j /\
    form2 d B (x i) (x j) = form d B p + rsum n (fun k => c k * (L k i * L k j)) + N i j).
  { intros i j l lj. specialize (hm i l). apply and_true in hm. destruct hm as [_ k]. rewrite all_true in k.
    specialize (k j lj). apply and_true in k. destruct k as [k1 k2]. apply below_true in k1. rewrite zero_R in k1.
    apply equal_true in k2. split; [ exact k1 | ].
    change (form2 d B (x i) (x j) + - form d B p = rsum n (fun k => c k * (L k i * L k j)) + N i j) in k2. lra. }
  rewrite (form_average n d x B v y hv).
  assert (E : rsum n (fun i => v i * rsum n (fun j => v j * form2 d B (x i) (x j)))
    = form d B p + rsum n (fun k => c k * Rsqr (rsum n (fun i => v i * L k i)))
      + rsum n (fun i => rsum n (fun j => v i * v j * N i j))).
  { transitivity (rsum n (fun i => form d B p * v i + rsum n (fun k => (c k * rsum n (fun j => v j * L k j)) * (v i * L k i))
      + rsum n (fun j => v i * v j * N i j))).
    - apply sum_ext. intros i l.
      transitivity (v i * (rsum n (fun j => form d B p * v j) + rsum n (fun j => rsum n (fun k => v j * (c k * (L k i * L k j))))
        + rsum n (fun j => v j * N i j))).
      { f_equal. rewrite <- !sum_plus. apply sum_ext. intros j lj. destruct (hN i j l lj) as [_ ->]. rewrite sum_scale. ring. }
      rewrite sum_scale, one, sum_swap, !Rmult_plus_distr_l, <- !sum_scale. f_equal; [ f_equal; [ ring | ] | ].
      + apply sum_ext. intros k lk.
        rewrite (sum_ext n (fun j => v j * (c k * (L k i * L k j))) (fun j => (c k * L k i) * (v j * L k j))) by (intros; ring).
        rewrite sum_scale. ring.
      + apply sum_ext. intros; ring.
    - rewrite !sum_plus, sum_scale, one, sum_swap. f_equal. f_equal; [ ring | ]. apply sum_ext. intros k lk.
      rewrite sum_scale. unfold Rsqr. ring. }
  rewrite E.
  assert (0 <= rsum n (fun k => c k * Rsqr (rsum n (fun i => v i * L k i)))).
  { apply sum_nonneg. intros k l. apply Rmult_le_pos; [ apply hc, l | apply Rle_0_sqr ]. }
  assert (0 <= rsum n (fun i => rsum n (fun j => v i * v j * N i j))).
  { apply sum_nonneg. intros i l. apply sum_nonneg. intros j lj. destruct (hN i j l lj) as [k _].
    apply Rmult_le_pos; [ apply Rmult_le_pos; auto | exact k ]. }
  lra.
Qed.
