// What is played in a figure without asking Python: steps of a decoding, moments of a training.

export const PACES = { play: 1300, slow: 3000 }; // ms for a step
export const REST = 350; // ms without a move before Python is told, so that arrow keys may run
