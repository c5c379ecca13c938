// Cursor over the chart while a drawing tool is armed: a crosshair with the icon of the tool.
const sizePx = 38
const centrePx = 11

/** `icon` is the tool's svg element; undefined for the usual cursor. */
export function showArmed(host: HTMLElement, icon: Element | undefined): void {
  host.style.cursor = icon === undefined ? '' : cursorOf(icon)
}

function cursorOf(icon: Element): string {
  const cross = `<path d="M${centrePx} 1v20M1 ${centrePx}h20"/>`
  const mark = `<g transform="translate(19 19) scale(.75)">${icon.innerHTML}</g>`
  const layer = (colour: string, width: number) => `<g stroke="${colour}" stroke-width="${width}">${cross}${mark}</g>`
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="${sizePx}" height="${sizePx}" fill="none" stroke-linecap="round">${layer('black', 3.5)}${layer('white', 1.5)}</svg>`
  return `url("data:image/svg+xml,${encodeURIComponent(picture)}") ${centrePx} ${centrePx}, crosshair`
}
