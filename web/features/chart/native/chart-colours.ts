// CSS design tokens as colours for canvas and lightweight-charts.
export interface ChartColours {
  readonly canvas: string
  readonly line: string
  readonly lineStrong: string
  readonly text: string
  readonly text2: string
  readonly text3: string
  readonly hover: string
  readonly accent: string
  readonly warn: string
  readonly up: string
  readonly down: string
}

const names: Readonly<Record<keyof ChartColours, string>> = {
  canvas: '--color-canvas',
  line: '--color-line',
  lineStrong: '--color-line-strong',
  text: '--color-text',
  text2: '--color-text-2',
  text3: '--color-text-3',
  hover: '--color-hover',
  accent: '--color-accent',
  warn: '--color-warn',
  up: '--up',
  down: '--down',
}

/** Cache by notation: colours are read with every frame, and reading pixels is slow. */
const known = new Map<string, string>()
let canvas: HTMLCanvasElement | undefined
let forced: MediaQueryList | undefined

/** Reads the current tokens; any CSS notation is converted to #rrggbb. */
export function readColours(): ChartColours {
  const style = getComputedStyle(document.documentElement)
  const entries = Object.entries(names).map(([key, name]) => [key, hexOf(style.getPropertyValue(name))])
  return Object.fromEntries(entries) as ChartColours
}

function hexOf(colour: string): string {
  forced ??= window.matchMedia('(forced-colors: active)')
  // The system's colours have the same names in every theme.
  const key = forced.matches ? `${colour} forced` : colour
  const found = known.get(key) ?? readHex(colour)
  known.set(key, found)
  return found
}

function readHex(colour: string): string {
  canvas ??= document.createElement('canvas')
  const pen = canvas.getContext('2d', { willReadFrequently: true })
  if (pen === null) return '#888888'
  pen.fillStyle = colour
  pen.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = pen.getImageData(0, 0, 1, 1).data
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

/** A #rrggbb colour with an opacity from 0 to 1. */
export function faded(hex: string, alpha: number): string {
  return (
    hex +
    Math.round(Math.min(1, Math.max(0, alpha)) * 255)
      .toString(16)
      .padStart(2, '0')
  )
}
