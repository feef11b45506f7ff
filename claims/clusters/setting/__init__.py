"""What the claims of the clusters paper share: notation, hypotheses, and starts near which statements are tight.

Statements about a left eigenvector phi of V are made in a basis in which phi is the first coordinate: y = Sx follows the
same equations with S^{-T} B S^{-1} and S V S^{-1}, and a positive definite B stays so. No generality is lost where a
statement measures no Euclidean length.
"""
