"""What the claims of the clusters paper share: notation, hypotheses, and starts near which statements are tight.

``notation`` has scores, norms and omega_n; ``hypotheses`` what is assumed of tokens, V, Q^T K and steps, and
``hypotheses_for_limits`` what lemmas on limits ask for as well. ``starts`` are near equality of inequalities at one time,
``starts_of_flows`` those whose limits are soon decided; ``heads`` has the threshold for several heads.

Statements about a left eigenvector phi of V are made in a basis in which phi is the first coordinate: y = Sx follows the
same equations with S^{-T} B S^{-1} and S V S^{-1}, and a positive definite B stays so. No generality is lost where a
statement measures no Euclidean length.
"""
