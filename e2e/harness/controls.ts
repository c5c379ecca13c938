// Whether controls can be seen and reached: none under another, and a visible focus on each tab stop.
import type { Page } from '@playwright/test'

/** Names of the controls whose middle belongs to something else, after they are scrolled into view. */
export function coveredControls(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const modal = document.querySelector('[role=dialog]')
    const controls = [...(modal ?? document).querySelectorAll<HTMLElement>('a[href], button, input, select, textarea')]
    const isCovered = async (control: HTMLElement) => {
      const { width, height } = control.getBoundingClientRect()
      // A hidden field or a link for the keyboard only.
      if (width < 2 || height < 2 || !control.checkVisibility({ visibilityProperty: true }) || control.closest('[inert]') !== null)
        return false
      let box = control.getBoundingClientRect()
      // The sign at the end of a row leaves with the scroll event; a page that starts may scroll to its first field.
      for (let frame = 0; frame < 3 || (frame < 30 && (box.top < 0 || box.bottom > innerHeight)); frame += 1) {
        control.scrollIntoView({ block: 'center', inline: 'center' })
        await new Promise(requestAnimationFrame)
        box = control.getBoundingClientRect()
      }
      const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
      if (hit === null) return true
      return !control.contains(hit) && !hit.contains(control) && hit.closest('label')?.contains(control) !== true
    }
    const covered: HTMLElement[] = []
    for (const control of controls) if (await isCovered(control)) covered.push(control)
    return covered.map((control) => control.ariaLabel ?? (control.textContent.trim() || control.outerHTML))
  })
}

export interface TabStop {
  readonly name: string
  /** The landmark that it is in, such as `nav Instruments`. */
  readonly part: string
  readonly hasRing: boolean
  /** Another element covers all of it. */
  readonly isCovered: boolean
}

/** Presses Tab until the focus has left the page. @throws Error if it never does */
export async function tabStops(page: Page, limit = 200): Promise<TabStop[]> {
  const stops: TabStop[] = []
  for (let at = 0; at < limit; at += 1) {
    await page.keyboard.press('Tab')
    const stop = await focusedStop(page)
    if (stop === undefined) return stops
    stops.push(stop)
  }
  throw new Error(`The focus is still in the page after ${limit} stops: ${stops.map(({ name }) => name).join(', ')}`)
}

function focusedStop(page: Page): Promise<TabStop | undefined> {
  return page.evaluate(async () => {
    const focused = document.activeElement
    // A browser without controls of its own begins again with the first stop.
    if (!(focused instanceof HTMLElement) || focused === document.body || focused.dataset['firstStop'] !== undefined) return undefined
    if (document.querySelector('[data-first-stop]') === null) focused.dataset['firstStop'] = ''
    const isHit = (x: number, y: number) => {
      const hit = document.elementFromPoint(x, y)
      return hit !== null && (focused.contains(hit) || hit.closest('label')?.contains(focused) === true || hit.contains(focused))
    }
    const shares = [0.1, 0.5, 0.9]
    const isCovered = () => {
      const { left, top, width, height } = focused.getBoundingClientRect()
      return !shares.some((x) => shares.some((y) => isHit(left + width * x, top + height * y)))
    }
    // The page may still scroll to it.
    for (let frame = 0; frame < 30 && isCovered(); frame += 1) await new Promise(requestAnimationFrame)
    const label = focused.closest('label')
    const shown = [focused, focused.nextElementSibling, label, label?.parentElement]
    const part = focused.closest('nav, header, main, aside, [role=dialog], fieldset, section')
    return {
      name: focused.ariaLabel ?? (focused.textContent.trim() || focused.outerHTML.slice(0, 80)),
      part: part === null ? '' : `${part.tagName.toLowerCase()} ${part.ariaLabel ?? ''}`.trim(),
      // What has the focus inside a frame is the frame's own.
      hasRing:
        focused.localName === 'iframe' ||
        shown.some((element) => {
          if (element === null || element === undefined) return false
          const { outlineStyle, outlineWidth } = getComputedStyle(element)
          return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1
        }),
      isCovered: isCovered(),
    }
  })
}
