// Size and edge of the drawing tools' place, also of the empty one beside the chart that is shown before the app.
export const toolRailClass =
  'h-9 shrink-0 border-line max-sm:border-t sm:h-full sm:w-9 sm:border-r pointer-coarse:h-12 sm:pointer-coarse:h-full sm:pointer-coarse:w-12'
