// Styles of compact inputs in filter bars.
export const smallFieldClass =
  'h-8 rounded-control border border-line-strong bg-canvas px-2 text-13 text-text placeholder:text-text-3 transition-colors hover:border-text-3 focus-visible:border-focus focus-visible:outline-offset-0 pointer-coarse:h-11 pointer-coarse:text-16'
