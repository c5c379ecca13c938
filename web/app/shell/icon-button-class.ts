// The look of the buttons that are only an icon.
export const iconButtonClass =
  'grid size-8 place-items-center rounded-control text-text-2 hover:bg-hover hover:text-text aria-expanded:bg-hover pointer-coarse:size-11'
