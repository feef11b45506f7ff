(** Sums, largest entries, tables, determinants: the vocabulary in which the claims' formulas are written. *)
From Coq Require Import Reals QArith Qreals List Bool Arith.
From Param Require Import Param.
From Formal Require Import Numbers.
Import ListNotations.
Close Scope Q_scope. Close Scope R_scope. Open Scope nat_scope.

Declare Scope num_scope.
Delimit Scope num_scope with num.
Infix "+" := add : num_scope.
Infix "*" := mul : num_scope.
Notation "- x" := (opp x) : num_scope.
Notation "x - y" := (add x (opp y)) : num_scope.
Notation "x / y" := (mul x (inv y)) : num_scope.
Infix "<=" := le : num_scope.
Infix "<" := lt : num_scope.
Infix "=" := eq : num_scope.
Notation "0" := (rational (Qmake Z0 xH)) : num_scope.
Notation "1" := (rational (Qmake (Zpos xH) xH)) : num_scope.
Infix "/\" := both : num_scope.
Infix "\/" := either : num_scope.
Infix "->" := implies : num_scope.
Notation "~ p" := (neg p) : num_scope.
Notation "'ALL' i '<' n , p" := (every n (fun i => p)) (at level 200, i ident, n at level 69, right associativity) : num_scope.
Notation "'SOME' i '<' n , p" := (some n (fun i => p)) (at level 200, i ident, n at level 69, right associativity) : num_scope.

(** n - m, or 0. *)
Definition minus (n m : nat) : nat := Nat.iter m Nat.pred n.

(** The same entries, each computed once; another one elsewhere. *)
Definition kept1 {X : Type} (other : X) (n : nat) (v : nat -> X) : nat -> X :=
  let row := map v (seq O n) in fun i => nth i row other.
Definition kept2 {X : Type} (other : X) (n m : nat) (v : nat -> nat -> X) : nat -> nat -> X :=
  let rows := map (fun i => map (v i) (seq O m)) (seq O n) in fun i j => nth j (nth i rows []) other.
Definition kept3 {X : Type} (other : X) (n m l : nat) (v : nat -> nat -> nat -> X) : nat -> nat -> nat -> X :=
  let tables := map (fun i => map (fun j => map (v i j) (seq O l)) (seq O m)) (seq O n) in
  fun i j k => nth k (nth j (nth i tables []) []) other.

Section Arrays.
  Context (num : Num).
  Local Open Scope num_scope.
  Definition vector := (nat -> num)%type.
  Definition matrix := (nat -> nat -> num)%type.
  Definition sum (n : nat) (v : vector) : num := fold_right (fun i s => v i + s) 0 (seq O n).
  Definition product (n : nat) (v : vector) : num := fold_right (fun i s => v i * s) 1 (seq O n).
  (** The largest of v 0, ..., v (n - 1). *)
  Definition largest (n : nat) (v : vector) : num :=
    match n with O => 0 | S m => fold_left (fun s i => maximum s (v (S i))) (seq O m) (v O) end.
  Definition all (n : nat) (p : nat -> Switch num) : Switch num := fold_right (fun i s => and (p i) s) (truth true) (seq O n).
  Definition count (n : nat) : num := rational (Qmake (Z.of_nat n) xH).
  Definition power (x : num) (k : nat) : num := Nat.iter k (mul x) 1.
  Definition equal (x y : num) : Switch num := and (below x y) (below y x).

  (** Rational data. *)
  Definition table1 (l : list Q) : vector := fun i => rational (nth i l (Qmake Z0 xH)).
  Definition table2 (l : list (list Q)) : matrix := fun i j => table1 (nth i l []) j.
  Definition table3 (l : list (list (list Q))) : nat -> matrix := fun i => table2 (nth i l []).

  (** Laplace's expansion along the first row: the determinant of A i j for i, j < n. *)
  Definition determinant (n : nat) : matrix -> num :=
    nat_rect (fun _ => (matrix -> num)%type)
      (fun _ => 1)
      (fun m minor A => sum (S m) (fun j => (if Nat.even j then A O j else - (A O j))
        * minor (fun r c => A (S r) (if Nat.ltb c j then c else S c))))
      n.
End Arrays.

Parametricity Recursive minus.
Parametricity Recursive sum.
Parametricity Recursive product.
Parametricity Recursive largest.
Parametricity Recursive all.
Parametricity Recursive count.
Parametricity Recursive power.
Parametricity Recursive equal.
Parametricity Recursive kept1.
Parametricity Recursive kept2.
Parametricity Recursive kept3.
Parametricity Recursive table3.
Parametricity Recursive determinant.
