"""Notation, hypotheses and starts of the Frank-Wolfe claims.

===================  ================================================================================  ================
module               what is in it                                                                     in the paper
===================  ================================================================================  ================
``steps``            P of one hardmax step: a number gamma, ties that are averaged                     (SA_inf)
``preconditioned``   P a matrix, the same at all steps or not                                          section 2.1
``energies``         J^t, its least value on K^t, the gap e_t, lambda_max, D(K)                        section 3
``run_hypotheses``   what is assumed of B^t, gamma^t and 0 in K^t along a run                          sections 3, 4
``runs``             runs with B^t and gamma^t, and their starts                                       sections 3, 4
``limits``           runs of constant step whose limits are known                                      ours
``questions``        targets that a token has one after the other                                      ours
``cells``            K, its vertices v_i and cells C_i; hypotheses (1) and (2)                         Theorem 4.2
``gaussian``         Gaussian vertices                                                                 section 4
``softmax_steps``    steps and chains of any tokens                                                    (SA_beta), (SA_P)
``polytopes``        acute polytopes with tokens near their vertices                                   Theorem 5.4
``tubes``            hypotheses (i), (ii), (iii) on K; tubes of width eps                              section 5
``first_phase``      eroded cells, T_1, the hardmax path                                               Theorem 5.2
``near_vertices``    starts within C tau; units of length                                              Theorem 5.4
``escapes``          chains that can be left; regular simplices; three phases                          abstract
``lifetimes``        T_2: how many picks lead out, what they cost                                      ours
===================  ================================================================================  ================
"""
