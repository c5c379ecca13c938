// Layout of the legends of price and studies.
export const overlayClass = 'absolute max-w-[calc(100%-6rem)]'
export const rowsClass = 'grid justify-items-start gap-y-0.5 *:rounded-control *:bg-canvas/70 *:px-1'

/** Right of the drawing toolbar. */
export const asideClass = `${rowsClass} mt-0.5 ml-9`
