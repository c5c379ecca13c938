// Copies a text to the clipboard, also over plain http and in apps' browsers, which have no `navigator.clipboard`.

/** Call from a click. False if the browser denies it. */
export async function copyText(value: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value)
    return true
  } catch {
    return copySelection(value)
  }
}

/** The old way, which needs a selection in the page; inside the open dialog, because others keep the focus out. */
function copySelection(value: string): boolean {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = value
  field.readOnly = true
  field.ariaHidden = 'true'
  field.style.cssText = 'position:fixed;inset:0 auto auto 0;opacity:0'
  const dialog = focused?.closest('[role=dialog], [role=alertdialog]') ?? document.body
  dialog.append(field)
  field.focus({ preventScroll: true })
  field.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  }
}
