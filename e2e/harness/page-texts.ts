// Everything that a page says, and the elements that cut their content off: checks of texts in other languages.
import type { Page } from '@playwright/test'

export interface PageTexts {
  readonly lang: string
  /** Texts and labels of all elements, also those for screen readers only, and what canvases were given to draw. */
  readonly texts: readonly string[]
  /** Elements whose content does not fit, without an ellipsis and without a way to scroll. */
  readonly clipped: readonly string[]
  /** Pixels by which the page scrolls sideways. */
  readonly sideways: number
}

/** Collects the texts that are drawn on canvases; call before the page is opened. */
export async function collectCanvasTexts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const drawn = new Set<string>()
    Reflect.set(window, 'canvasTexts', drawn)
    const kinds = [CanvasRenderingContext2D.prototype, OffscreenCanvasRenderingContext2D.prototype]
    for (const kind of kinds) {
      // oxlint-disable-next-line typescript/unbound-method -- called with the context below
      const { fillText } = kind
      kind.fillText = function (this: CanvasRenderingContext2D & OffscreenCanvasRenderingContext2D, text, ...rest) {
        drawn.add(text)
        fillText.call(this, text, ...rest)
      }
    }
  })
}

export function readPageTexts(page: Page): Promise<PageTexts> {
  return page.evaluate(() => {
    const attributes = ['aria-label', 'title', 'placeholder', 'alt', 'aria-description', 'aria-roledescription', 'aria-valuetext']
    const isShown = (element: Element) => element.checkVisibility({ visibilityProperty: true })
    // For screen readers only.
    const isAside = (element: Element) => element.clientWidth <= 1 || element.clientHeight <= 1
    const elements = [...document.body.querySelectorAll('*')].filter((element) => isShown(element) && !element.matches('script, style'))

    const texts = new Set<string>([document.title, ...(Reflect.get(window, 'canvasTexts') as Set<string>)])
    for (const element of elements) {
      for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) texts.add(node.textContent?.trim() ?? '')
      for (const name of attributes) texts.add(element.getAttribute(name) ?? '')
      if (element instanceof HTMLSelectElement) for (const { label } of element.options) texts.add(label)
      if (element instanceof HTMLInputElement && element.readOnly) texts.add(element.value)
    }

    const nameOf = (element: Element) => {
      const { clientWidth, scrollWidth, clientHeight, scrollHeight } = element
      const words = (element.textContent.trim() || element.getAttribute('aria-label') || element.className).slice(0, 80)
      return `<${element.localName}> ${words}: ${scrollWidth}x${scrollHeight} in ${clientWidth}x${clientHeight}`
    }
    // On phones one line, which a button of it opens.
    const isCutOnPurpose = (element: Element) => element.closest('[data-testid=chart-legend]') !== null
    const hasText = (element: Element) => element.textContent.trim() !== ''
    // Accents above and signs below a line may pass its box by a few pixels without being cut.
    const slack = 4
    const isCut = (element: Element) => {
      const { overflowX, overflowY, textOverflow, webkitLineClamp } = getComputedStyle(element)
      if (textOverflow === 'ellipsis' || webkitLineClamp !== 'none') return false
      const isControl = element.matches('button, a, label, th, [role=tab], [role=option]')
      const hides = (overflow: string) => overflow === 'hidden' || overflow === 'clip' || (isControl && overflow === 'visible')
      return (
        (hides(overflowX) && element.scrollWidth > element.clientWidth + 1) ||
        (hides(overflowY) && element.scrollHeight > element.clientHeight + slack)
      )
    }
    // An inline element has no box of its own.
    const hasBox = (element: Element) => element instanceof HTMLElement && getComputedStyle(element).display !== 'inline'
    const clipped = elements.filter(
      (element) => hasBox(element) && hasText(element) && !isAside(element) && !isCutOnPurpose(element) && isCut(element),
    )
    const root = document.documentElement
    return {
      lang: root.lang,
      texts: [...texts].filter((text) => text !== ''),
      clipped: clipped.map(nameOf),
      sideways: root.scrollWidth - root.clientWidth,
    }
  })
}
