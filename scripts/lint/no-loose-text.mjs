// Lint rule: a text beside something that comes and goes stands in an element of its own, and a component returns elements.
// A browser's translator replaces text nodes with elements. React then finds no place for what comes, and nothing to remove.

const lists = new Set(['map', 'flatMap'])
const message = 'A text here needs an element of its own, because a translated page crashes when something beside it comes or goes.'

const isElement = (node) => node?.type === 'JSXElement' || node?.type === 'JSXFragment'
const isNodeType = (type) => type?.type === 'TSTypeReference' && /^React(Node|Element)$/.test(type.typeName.name)
const tagOf = (node) => (node.type === 'JSXElement' ? (node.openingElement.name.name ?? '.') : '')

function isShown(child) {
  if (child.type === 'JSXText') return /\S/.test(child.value)
  return child.type !== 'JSXExpressionContainer' || child.expression.type !== 'JSXEmptyExpression'
}

/** What an expression can evaluate to; null is nothing. */
function leavesOf(node) {
  if (node === null || node === undefined) return []
  if (node.type === 'ConditionalExpression') return [...leavesOf(node.consequent), ...leavesOf(node.alternate)]
  if (node.type !== 'LogicalExpression') return [node]
  return node.operator === '&&' ? [null, ...leavesOf(node.right)] : [...leavesOf(node.left), ...leavesOf(node.right)]
}

function nameOf(node) {
  if (node.type === 'Identifier') return node.name
  if (node.type === 'MemberExpression') return nameOf(node.property)
  return node.type === 'CallExpression' ? nameOf(node.callee) : ''
}

/** `elements` are names in the file that hold elements. */
function kindsOfLeaf(leaf, elements) {
  if (leaf === null) return ['nothing']
  // A fragment has no element in the page.
  if (leaf.type === 'JSXFragment') return leaf.children.filter(isShown).flatMap((child) => kindsOf(child, elements))
  if (leaf.type === 'JSXElement') return ['element']
  // Blanks are not translated.
  if (leaf.type === 'Literal') return [typeof leaf.value === 'number' || /\S/.test(leaf.value || '') ? 'text' : 'nothing']
  const name = nameOf(leaf)
  if (name === 'undefined') return ['nothing']
  if (leaf.type === 'CallExpression' && lists.has(name)) return ['list']
  return [elements.has(name) ? 'element' : 'text']
}

function kindsOf(child, elements) {
  if (child.type === 'JSXText') return ['text']
  return (child.type === 'JSXExpressionContainer' ? leavesOf(child.expression) : [child]).flatMap((leaf) => kindsOfLeaf(leaf, elements))
}

const comesAndGoes = (kinds) => kinds.includes('list') || new Set(kinds).size > 1

export const noLooseText = {
  create(context) {
    const elements = new Set(['createPortal'])
    const parents = []
    /** Elements that React turns into one another. */
    const exchanged = new Set()
    /** What components return. */
    const returned = []
    /** Returned leaves of each function around this place. */
    const functions = []
    const note = (leaves) => {
      const shown = leaves.filter(isElement)
      for (const one of shown) if (shown.some((other) => other !== one && tagOf(other) === tagOf(one))) exchanged.add(one)
    }
    const check = (node) => {
      const children = node.children.filter(isShown).map((child) => ({ child, kinds: kindsOf(child, elements) }))
      if (children.length < 2 || !(exchanged.has(node) || children.some(({ kinds }) => comesAndGoes(kinds)))) return
      for (const { child, kinds } of children) if (kinds.includes('text')) context.report({ node: child, message })
    }
    const leave = ({ id }) => {
      const leaves = functions.pop()
      note(leaves)
      if (/^[A-Z]/.test(id?.name ?? '')) returned.push(...leaves)
    }
    /** A name may be that of an element. */
    const isText = (leaf) => {
      if (leaf?.type !== 'JSXFragment') return leaf !== null && leaf.type !== 'Identifier' && kindsOfLeaf(leaf, elements).includes('text')
      const shown = leaf.children.filter(isShown)
      return shown.length === 1 && kindsOf(shown[0], elements).includes('text')
    }
    return {
      VariableDeclarator({ id, init }) {
        // No context here holds a text that is shown as it is.
        if (leavesOf(init).some(isElement) || (init?.type === 'CallExpression' && nameOf(init) === 'useContext')) elements.add(id.name)
      },
      TSPropertySignature({ key, typeAnnotation }) {
        const type = typeAnnotation?.typeAnnotation
        // Children of any kind may be a text.
        if (key.name !== 'children' && (isNodeType(type) || isNodeType(type?.returnType?.typeAnnotation))) elements.add(key.name)
      },
      ConditionalExpression: (node) => note(leavesOf(node)),
      ':function': () => functions.push([]),
      ':function:exit': leave,
      ReturnStatement: ({ argument }) => functions.at(-1)?.push(...leavesOf(argument)),
      JSXElement: (node) => parents.push(node),
      JSXFragment: (node) => parents.push(node),
      'Program:exit'() {
        parents.forEach(check)
        for (const leaf of returned) if (isText(leaf)) context.report({ node: leaf, message })
      },
    }
  },
}
