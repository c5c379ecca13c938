// Layout of the legends of price and studies.
export const overlayClass = 'absolute left-3 max-w-[calc(100%-6rem)] overflow-hidden'
/** Readable over candles by a shadow of the ground: a box would hide them. */
export const rowsClass = 'grid justify-items-start gap-y-0.5 text-shadow-ground *:max-w-full'
/** One line, cut off at its end. */
export const lineClass = 'flex-nowrap overflow-hidden'
