(** Rational numbers as long as they stay rational, and CoqInterval's intervals from the first exponential on. *)
From Coq Require Import Reals ZArith QArith Qreals List Bool Arith Lia Lra.
From Interval Require Import Xreal Interval.Interval Interval.Float Interval.Float_full Float.Specific_stdz Float.Specific_ops Float.Basic.
From Param Require Import Param.
From Formal Require Import Numbers.
Close Scope Q_scope. Close Scope R_scope. Open Scope nat_scope.
Module F := SpecificFloat StdZRadix2.
Module I := FloatIntervalFull F.

Definition prec := F.PtoP 90.
Definition contained (x : I.type) (a : R) : Prop := contains (I.convert x) (Xreal a).

Lemma nan_contains x : contains (I.convert x) Xnan -> forall a, contains (I.convert x) a.
Proof. destruct (I.convert x) as [ | l u ]; simpl; [ trivial | tauto ]. Qed.

Definition of_Q (q : Q) : I.type := I.div prec (I.fromZ prec (Qnum q)) (I.fromZ prec (Zpos (Qden q))).
Lemma contained_fromZ n : contained (I.fromZ prec n) (IZR n).
Proof. apply I.fromZ_correct. Qed.
Lemma contained_Q q : contained (of_Q q) (Q2R q).
Proof.
  unfold contained, of_Q. assert (k := I.div_correct prec _ _ _ _ (contained_fromZ (Qnum q)) (contained_fromZ (Zpos (Qden q)))).
  cbv beta iota delta [Xdiv Xdiv' Xbind Xbind2] in k. destruct (is_zero_spec (IZR (Zpos (Qden q)))) as [e | e]; [ | exact k ].
  apply nan_contains. exact k.
Qed.

Inductive number := Exact (q : Q) | Between (i : I.type).
Definition within (x : number) (a : R) : Prop := match x with Exact q => a = Q2R q | Between i => contained i a end.
Definition interval_of (x : number) : I.type := match x with Exact q => of_Q q | Between i => i end.
Lemma within_interval x a : within x a -> contained (interval_of x) a.
Proof. destruct x; simpl; [ intros ->; apply contained_Q | trivial ]. Qed.

(** Where rationals say it, they do; else intervals. *)
Definition on1 (exact : Q -> option Q) (wide : I.type -> I.type) (x : number) : number :=
  match x with
  | Exact p => match exact p with Some r => Exact r | None => Between (wide (of_Q p)) end
  | Between i => Between (wide i)
  end.
Definition on2 (exact : Q -> Q -> Q) (wide : I.type -> I.type -> I.type) (x y : number) : number :=
  match x, y with Exact p, Exact q => Exact (exact p q) | _, _ => Between (wide (interval_of x) (interval_of y)) end.
Definition compare2 (exact : Q -> Q -> bool) (wide : I.type -> I.type -> open) (x y : number) : open :=
  match x, y with Exact p, Exact q => Some (exact p q) | _, _ => wide (interval_of x) (interval_of y) end.

Lemma on1_within exact wide (g : R -> R)
  (he : forall x a, is_value x a -> is_value (with1 exact None x) (g a)) (hw : forall i a, contained i a -> contained (wide i) (g a)) x a :
  within x a -> within (on1 exact wide x) (g a).
Proof.
  destruct x as [p | i]; simpl; intros h; [ | apply hw, h ].
  assert (k := he (Some p) a h). simpl in k. destruct (exact p); simpl; [ exact k | ].
  apply hw. rewrite h. apply contained_Q.
Qed.
Lemma on2_within exact wide (g : R -> R -> R)
  (he : forall p q, Q2R (exact p q) = g (Q2R p) (Q2R q))
  (hw : forall i a j b, contained i a -> contained j b -> contained (wide i j) (g a b)) x a y b :
  within x a -> within y b -> within (on2 exact wide x y) (g a b).
Proof.
  destruct x, y; simpl; intros h k; subst; try (symmetry; apply he); apply hw; trivial; apply contained_Q.
Qed.
Lemma compare2_tells exact wide (g : R -> R -> Prop)
  (he : forall x a y b, is_value x a -> is_value y b -> tells (with2 (fun p q => Some (exact p q)) None x y) (g a b))
  (hw : forall i a j b, contained i a -> contained j b -> tells (wide i j) (g a b)) x a y b :
  within x a -> within y b -> tells (compare2 exact wide x y) (g a b).
Proof.
  destruct x, y; simpl; intros h k; subst.
  1: exact (he (Some q) _ (Some q0) _ eq_refl eq_refl).
  all: apply hw; trivial; apply contained_Q.
Qed.

Lemma i_add i a j b : contained i a -> contained j b -> contained (I.add prec i j) (a + b)%R.
Proof. intros h k. exact (I.add_correct prec i j _ _ h k). Qed.
Lemma i_mul i a j b : contained i a -> contained j b -> contained (I.mul prec i j) (a * b)%R.
Proof. intros h k. exact (I.mul_correct prec i j _ _ h k). Qed.
Lemma i_neg i a : contained i a -> contained (I.neg i) (- a)%R.
Proof. intros h. exact (I.neg_correct i _ h). Qed.
Lemma i_abs i a : contained i a -> contained (I.abs i) (Rabs a).
Proof. intros h. exact (I.abs_correct i _ h). Qed.
Lemma i_exp i a : contained i a -> contained (I.exp prec i) (Rtrigo_def.exp a).
Proof. intros h. exact (I.exp_correct prec i _ h). Qed.
(** Of numbers that may be negative nothing is said: in Coq's reals their root is 0 by convention. *)
Definition w_sqrt (i : I.type) : I.type := match I.sign_large i with Xgt | Xeq => I.sqrt prec i | _ => I.nai end.
Lemma i_sqrt i a : contained i a -> contained (w_sqrt i) (R_sqrt.sqrt a).
Proof.
  intros h. unfold w_sqrt. assert (k : contained I.nai (R_sqrt.sqrt a)) by (unfold contained; rewrite I.nai_correct; exact Logic.I).
  destruct (I.sign_large i); trivial; exact (I.sqrt_correct prec i _ h).
Qed.
Lemma i_ln i a : contained i a -> contained (I.ln prec i) (Rpower.ln a).
Proof.
  intros h. assert (k := I.ln_correct prec i _ h). unfold contained. cbv beta iota delta [Xln Xln' Xbind] in k.
  destruct (is_positive_spec a) as [e | e]; [ exact k | apply nan_contains; exact k ].
Qed.
Lemma i_inv i a : contained i a -> contained (I.inv prec i) (/ a)%R.
Proof.
  intros h. assert (k := I.inv_correct prec i _ h). unfold contained. cbv beta iota delta [Xinv Xinv' Xbind] in k.
  destruct (is_zero_spec a) as [e | e]; [ apply nan_contains; exact k | exact k ].
Qed.
Lemma i_join i a j b : contained i a -> contained j b -> contained (I.join i j) a /\ contained (I.join i j) b.
Proof. intros h k. split; apply I.join_correct; [ left | right ]; assumption. Qed.

Definition i_le i j : open :=
  match I.sign_large (I.sub prec j i) with Xgt | Xeq => Some true | _ =>
    match I.sign_strict (I.sub prec j i) with Xlt => Some false | _ => None end end.
Definition i_lt i j : open :=
  match I.sign_strict (I.sub prec j i) with Xgt => Some true | _ =>
    match I.sign_large (I.sub prec j i) with Xlt | Xeq => Some false | _ => None end end.
Definition i_eq i j : open :=
  match I.sign_strict (I.sub prec j i) with Xgt | Xlt => Some false | Xeq => Some true | _ => None end.
Lemma i_sub i a j b : contained i a -> contained j b -> contained (I.sub prec j i) (b - a)%R.
Proof. intros h k. exact (I.sub_correct prec j i _ _ k h). Qed.
Lemma i_le_tells i a j b : contained i a -> contained j b -> tells (i_le i j) (a <= b)%R.
Proof.
  intros h k. assert (d := i_sub _ _ _ _ h k). unfold i_le. generalize dependent (I.sub prec j i). intros t d.
  assert (sl := I.sign_large_correct t). assert (ss := I.sign_strict_correct t).
  destruct (I.sign_large t); [ specialize (sl _ d); injection sl; intros; unfold tells; lra | | specialize (sl _ d); cbn in sl; unfold tells; lra | ];
    (destruct (I.sign_strict t); try exact Logic.I; specialize (ss _ d); cbn in ss; unfold tells; lra).
Qed.
Lemma i_lt_tells i a j b : contained i a -> contained j b -> tells (i_lt i j) (a < b)%R.
Proof.
  intros h k. assert (d := i_sub _ _ _ _ h k). unfold i_lt. generalize dependent (I.sub prec j i). intros t d.
  assert (sl := I.sign_large_correct t). assert (ss := I.sign_strict_correct t).
  destruct (I.sign_strict t); [ | | specialize (ss _ d); cbn in ss; unfold tells; lra | ];
    (destruct (I.sign_large t); try exact Logic.I; specialize (sl _ d); [ injection sl; intros | cbn in sl ]; unfold tells; lra).
Qed.
Lemma i_eq_tells i a j b : contained i a -> contained j b -> tells (i_eq i j) (a = b).
Proof.
  intros h k. assert (d := i_sub _ _ _ _ h k). unfold i_eq. generalize dependent (I.sub prec j i). intros t d.
  assert (ss := I.sign_strict_correct t).
  destruct (I.sign_strict t); try exact Logic.I; specialize (ss _ d); [ injection ss; intros | cbn in ss | cbn in ss ]; unfold tells; lra.
Qed.
Definition i_max i j : I.type := match i_le i j with Some true => j | Some false => i | None => I.join i j end.
Lemma i_max_contained i a j b : contained i a -> contained j b -> contained (i_max i j) (Rmax a b).
Proof.
  intros h k. assert (m := i_le_tells _ _ _ _ h k). unfold i_max, Rmax.
  destruct (i_le i j) as [[|]|]; simpl in m; destruct (Rle_dec a b); try tauto; apply (i_join _ _ _ _ h k).
Qed.

Definition enclosures : Num :=
  computing number Exact
    (on2 (fun p q => Qred (p + q)) (I.add prec)) (on2 (fun p q => Qred (p * q)) (I.mul prec))
    (on1 (fun p => Some (Qopp p)) I.neg) (on1 q_inv (I.inv prec)) (on1 (fun p => Some (q_abs p)) I.abs)
    (on2 q_max i_max) (on1 q_exp (I.exp prec)) (on1 q_ln (I.ln prec)) (on1 q_sqrt w_sqrt)
    (compare2 Qle_bool i_le) (compare2 Qltb i_lt) (compare2 Qeq_bool i_eq)
    (fun x y => Between (I.join (interval_of x) (interval_of y))).

Definition enclosures_agree : Num_R enclosures reals.
Proof.
  apply (computing_agree _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ within).
  - reflexivity.
  - apply on2_within; [ intros; rewrite Q2R_red; apply Q2R_plus | exact i_add ].
  - apply on2_within; [ intros; rewrite Q2R_red; apply Q2R_mult | exact i_mul ].
  - apply on1_within; [ values; apply eq_sym, Q2R_opp | exact i_neg ].
  - apply on1_within; [ exact v_inv | exact i_inv ].
  - apply on1_within; [ exact v_abs | exact i_abs ].
  - apply on2_within; [ intros p q; exact (eq_sym (v_max (Some p) _ (Some q) _ eq_refl eq_refl)) | exact i_max_contained ].
  - apply on1_within; [ exact v_exp | exact i_exp ].
  - apply on1_within; [ exact v_ln | exact i_ln ].
  - apply on1_within; [ exact v_sqrt | exact i_sqrt ].
  - apply compare2_tells; [ exact v_le | exact i_le_tells ].
  - apply compare2_tells; [ exact v_lt | exact i_lt_tells ].
  - apply compare2_tells; [ exact v_eq | exact i_eq_tells ].
  - intros x a y b h k. simpl. apply i_join; apply within_interval; assumption.
Defined.

Theorem enclosed (S : statement) (S_R : translated S) : S enclosures = Some true -> S reals.
Proof. intros h. assert (k := S_R _ _ enclosures_agree). rewrite h in k. exact k. Qed.
