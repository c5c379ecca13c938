// Keeps what a person has typed when the fields of a page are replaced by others of the same names.

type Field = HTMLInputElement | HTMLTextAreaElement

const fieldsOf = (root: ParentNode) => [...root.querySelectorAll<Field>('input[name], textarea[name]')]

/** Call it before the fields are replaced, and the returned function afterwards: value, tick, focus and selection move along. */
export function keepFields(root: HTMLElement): () => void {
  const before = fieldsOf(root)
  let focused: EventTarget | null = document.activeElement
  const onFocus = ({ target }: FocusEvent) => void (focused = target)
  root.addEventListener('focusin', onFocus)
  return () => {
    root.removeEventListener('focusin', onFocus)
    const after = fieldsOf(root)
    for (const old of before) {
      const field = old.isConnected ? undefined : after.find(({ name, type }) => name === old.name && type === old.type)
      if (field === undefined) continue
      copyValue(old, field)
      if (old === focused) copyFocus(old, field)
    }
  }
}

/** As if the person had typed it, so that the form learns of it. */
function copyValue(old: Field, field: Field): void {
  if (field instanceof HTMLInputElement && old instanceof HTMLInputElement && old.type === 'checkbox') {
    if (field.checked !== old.checked) field.click()
  } else if (field.value !== old.value) {
    const prototype = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype
    // React replaces the setter of each field, to tell its own changes from those of a person.
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, old.value)
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
}

function copyFocus(old: Field, field: Field): void {
  field.focus({ preventScroll: true })
  // Null in a field without a selection, such as that of an email address.
  if (old.selectionStart !== null) field.setSelectionRange(old.selectionStart, old.selectionEnd)
}
