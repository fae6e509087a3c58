/** People of mathematics, science, engineering and computing. */
export const surnames: readonly string[] = (
  'abel agnesi alhazen ampere anning archimedes aryabhata avogadro babbage banach banneker bardeen bartik bell ' +
  'bernoulli bhabha blackwell bohr boole born bose boyle brahe brahmagupta burnell cantor carson cauchy cavendish ' +
  'cerf chandrasekhar chatelet church clarke coulomb cray curie dalton darwin dedekind descartes dijkstra dirac ' +
  'easley edison ehrlich einstein engelbart eratosthenes erdos euclid euler fermat fermi feynman fibonacci fourier ' +
  'franklin galileo galois gauss germain godel goeppert goldberg goldstine hamilton hamming hardy harriot hawking ' +
  'heisenberg hermite hero herschel hertz hilbert hipparchus hodgkin holberton hooke hopper hubble huygens hypatia ' +
  'jacobi jacquard jemison jennings johnson joule kalam kapitsa keller kepler kilby kirch knuth kolmogorov ' +
  'kovalevskaya lagrange lalande lamarr lamport laplace leavitt leibniz lichterman liskov lovelace lumiere mach ' +
  'maxwell mcclintock mccarthy meitner mendel mendeleev mercator minsky mirzakhani moore morse nash neumann newton ' +
  'nightingale nobel noether noyce ohm pascal pasteur pauli payne peano penrose perlman planck poincare poisson ' +
  'ptolemy pythagoras ramanujan raman riemann ritchie roentgen rosen rubin rutherford sammet sagan shannon shaw ' +
  'shockley somerville stallman stonebraker swartz swirles tesla thales thompson torvalds tu turing varahamihira ' +
  'vaughan villani volta wescoff weyl wilbur wiles wilkes williams wing wozniak wright wu yalow yonath zeno zuse'
).split(' ');
