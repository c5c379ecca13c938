// Wraps every text of a page in elements of its own, as a browser's translator does.

/** Goes on with each change until the returned function is called. Self-contained, so that a browser test can inject it. */
export function translatePage(translate: (text: string) => string = (text) => text): () => void {
  const untouched = 'script, style, textarea, font, svg, [translate="no"]'
  /** Their text cannot be an element. */
  const plain = 'title, option'
  const wrap = (node: Text): void => {
    if (!/\p{Letter}/u.test(node.data) || node.parentElement === null || node.parentElement.closest(untouched) !== null) return
    if (node.parentElement.matches(plain)) {
      const translated = translate(node.data)
      if (translated !== node.data) node.data = translated
      return
    }
    const outer = document.createElement('font')
    const inner = document.createElement('font')
    inner.append(translate(node.data))
    outer.append(inner)
    node.replaceWith(outer)
  }
  const wrapAll = (root: Node): void => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    while (walker.nextNode() !== null) texts.push(walker.currentNode as Text)
    if (root instanceof Text) texts.push(root)
    texts.forEach(wrap)
  }
  const observer = new MutationObserver((records) => {
    for (const { target, type, addedNodes } of records) (type === 'characterData' ? [target] : [...addedNodes]).forEach(wrapAll)
  })
  observer.observe(document, { childList: true, characterData: true, subtree: true })
  wrapAll(document.documentElement)
  return () => observer.disconnect()
}
