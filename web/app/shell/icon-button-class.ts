// Styles of icon-only buttons.
export const iconButtonClass =
  'grid size-8 place-items-center rounded-control text-text-2 hover:bg-hover hover:text-text aria-expanded:bg-hover pointer-coarse:size-11'
