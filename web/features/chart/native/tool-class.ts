// Styles of a small icon button above the chart.
export const toolClass =
  'grid size-7 shrink-0 place-items-center rounded-control text-text-2 transition-colors hover:bg-hover hover:text-text aria-pressed:bg-hover aria-pressed:text-text pointer-coarse:size-11'
