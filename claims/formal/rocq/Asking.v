(** What a proof by signs has to split: the first comparison that the facts leave open.  A search asks; nothing rests on it. *)
From Coq Require Import QArith List Bool Arith ZArith.
From Coq Require Import RingMicromega EnvRing.
From Formal Require Import Numbers Arrays Sizes.
Import ListNotations.
Close Scope Q_scope. Open Scope nat_scope.

Inductive question : Type := Sign (p : polynomial) | Exponent (p : polynomial) | Stuck.
Definition or_ask (X : Type) : Type := (X + question)%type.

Section Asking.
  Context (facts : list fact) (exps : exponentials).
  Definition then_ {X Y} (x : or_ask X) (f : X -> or_ask Y) : or_ask Y := match x with inl y => f y | inr q => inr q end.
  Definition number : Type := or_ask (polynomial * polynomial).
  Definition sign (p : polynomial) : or_ask bool :=
    match at_most_zero facts p with Some b => inl b | None => inr (Sign p) end.
  Definition value_of (x : quotient) : number := match x with Some y => inl y | None => inr Stuck end.
  Definition lift1 (f : quotient -> quotient) (x : number) : number := then_ x (fun y => value_of (f (Some y))).
  Definition lift2 (f : quotient -> quotient -> quotient) (x y : number) : number :=
    then_ x (fun a => then_ y (fun b => value_of (f (Some a) (Some b)))).
  Definition signed (f : quotient -> quotient) (x : number) : number := then_ x (fun y =>
    match f (Some y) with
    | Some z => inl z
    | None =>
      match at_most_zero facts (fst y), at_most_zero facts (minus_p (fst y)) with
      | None, _ => inr (Sign (fst y)) | _, None => inr (Sign (minus_p (fst y))) | _, _ => inr Stuck
      end
    end).
  Definition compared (x y : number) : or_ask bool := then_ x (fun a => then_ y (fun b =>
    sign (difference (fst a) (snd a) (fst b) (snd b)))).
  Definition no (x : or_ask bool) : or_ask bool := then_ x (fun b => inl (negb b)).
  (** Where one answer decides, the other need not be known. *)
  Definition and_ask (x y : or_ask bool) : or_ask bool :=
    match x, y with
    | inl false, _ | _, inl false => inl false
    | inl true, _ => y
    | inr _, _ => x
    end.
  Definition or_else (x y : or_ask bool) : or_ask bool := no (and_ask (no x) (no y)).
  Fixpoint all_ask (l : list nat) (p : nat -> or_ask bool) : or_ask bool :=
    match l with [] => inl true | i :: m => and_ask (p i) (all_ask m p) end.
  Definition exponential_of (x : number) : number := then_ x (fun y =>
    match exp_q exps (Some y) with
    | Some z => inl z
    | None => if same (snd y) (constant 1) then inr (Exponent (fst y)) else inr Stuck
    end).

  Definition asking : Num :=
    MkNum number (fun c => inl (constant (Qred c), constant 1))
      (lift2 add_q) (lift2 mul_q) (lift1 opp_q) (signed (inv_q facts)) (signed (abs_q facts))
      (fun x y => then_ (compared x y) (fun b => if b then y else x))
      exponential_of (fun _ => inr Stuck) (fun _ => inr Stuck)
      (or_ask bool) compared (fun b => inl b) no and_ask or_else
      (fun b x y => then_ b (fun c => if c then x else y))
      (or_ask bool) compared (fun x y => no (compared y x)) (fun x y => and_ask (compared x y) (compared y x))
      (fun b => b) and_ask or_else (fun x y => or_else (no x) y) no
      (fun n p => all_ask (seq 0 n) p) (fun n p => no (all_ask (seq 0 n) (fun i => no (p i)))).
End Asking.

(** Entries of systems over numbers that ask, and polynomials as lists that are printed. *)
Definition asked (x : quotient) : number := match x with Some y => inl y | None => inr Stuck end.
Fixpoint terms (p : polynomial) (power : nat) (before : list nat) : list (Z * Z * list nat) :=
  match p with
  | Pc c => [(Qnum c, Zpos (Qden c), rev (power :: before))]
  | Pinj j q => terms q 0 (repeat 0 (Nat.pred (Pos.to_nat j)) ++ power :: before)
  | PX q i r => terms q (power + Pos.to_nat i) before ++ terms r 0 (power :: before)
  end.
Definition answer (x : or_ask bool) : nat * list (Z * Z * list nat) :=
  match x with
  | inl true => (0, []) | inl false => (1, [])
  | inr (Sign p) => (2, terms p 0 []) | inr (Exponent p) => (3, terms p 0 []) | inr Stuck => (4, [])
  end.
