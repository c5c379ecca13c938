// Keys of the chart screen, as its list of shortcuts shows them.
import { texts } from '#shared/text/texts.ts'

export const shortcutsText = texts('shortcuts', {
  title: 'Keyboard shortcuts',
  openTitle: 'Keyboard shortcuts (?)',
  intro: 'Keys of the chart work while the chart has the focus: press Tab until a frame surrounds it, or click it.',
  groups: [
    {
      title: 'Everywhere',
      keys: [
        ['Ctrl K', 'Search instruments'],
        ['? in the chart area', 'This list'],
        ['Alt 1 \u2026 4', 'Choose a chart, when there are several'],
        ['\u2190 \u2192 Home End', 'Move inside the instrument menu and other bars, which are one tab stop each'],
      ],
    },
    {
      title: 'Chart',
      keys: [
        ['\u2190 \u2192', 'Read the values bar by bar'],
        ['Page Up, Page Down', '20 bars back or on'],
        ['Home, End', 'First or last bar'],
        ['+ \u2212', 'Zoom in or out'],
        ['Esc', 'Leave the bar'],
      ],
    },
    {
      title: 'Drawings',
      keys: [
        ['D, Shift D', 'Select the next or the previous drawing'],
        ['\u2190 \u2191 \u2192 \u2193', 'Move the selected drawing; with Shift in larger steps'],
        ['Enter', 'Switch between endpoints and the whole drawing'],
        ['Delete', 'Remove the selected drawing'],
        ['Ctrl Z, Ctrl Y', 'Undo, redo'],
      ],
    },
  ] as readonly { readonly title: string; readonly keys: readonly (readonly [keys: string, act: string])[] }[],
})
