// Lint rule: sentences for users belong into a text folder of shared, where another language can replace them.

const word = /[A-Za-z]{2,}/
const spokenAttributes = new Set([
  'title',
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'aria-valuetext',
  'placeholder',
  'alt',
  'label',
  'description',
  'hint',
  'busyText',
  'text',
  'code',
  'submitText',
])

/** The literals that an expression can evaluate to. */
function literalsOf(node) {
  if (node === null || node === undefined) return []
  if (node.type === 'Literal') return typeof node.value === 'string' ? [{ node, text: node.value }] : []
  if (node.type === 'TemplateLiteral') return [{ node, text: node.quasis.map((part) => part.value.cooked).join(' ') }]
  if (node.type === 'JSXExpressionContainer') return literalsOf(node.expression)
  if (node.type === 'ConditionalExpression') return [...literalsOf(node.consequent), ...literalsOf(node.alternate)]
  if (node.type === 'LogicalExpression') return [...literalsOf(node.left), ...literalsOf(node.right)]
  return []
}

export const noSentences = {
  create(context) {
    const check = (node) => {
      for (const { node: at, text } of literalsOf(node))
        if (word.test(text.replace(/^https?:/, '')))
          context.report({ node: at, message: `"${text.trim()}" is a text for users: move it to shared/<feature>/text/en.ts.` })
    }
    return {
      JSXText(node) {
        if (word.test(node.value))
          context.report({ node, message: `"${node.value.trim()}" is a text for users: move it to shared/<feature>/text/en.ts.` })
      },
      JSXExpressionContainer(node) {
        if (node.parent.type === 'JSXElement' || node.parent.type === 'JSXFragment') check(node)
      },
      JSXAttribute(node) {
        if (node.name.type === 'JSXIdentifier' && spokenAttributes.has(node.name.name)) check(node.value)
      },
      CallExpression(node) {
        if (node.callee.type !== 'Identifier') return
        const [options] = node.arguments
        if (node.callee.name === 'useTitle') return check(options)
        if (node.callee.name !== 'toast') return
        if (options?.type === 'ObjectExpression')
          for (const property of options.properties) if (property.type === 'Property' && property.key.name === 'text') check(property.value)
      },
      AssignmentExpression(node) {
        const { left } = node
        if (left.type === 'MemberExpression' && left.object.name === 'document' && left.property.name === 'title') check(node.right)
      },
    }
  },
}
