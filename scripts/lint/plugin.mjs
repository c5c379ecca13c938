// The project's own lint rules.
import { noLooseText } from './no-loose-text.mjs'
import { noSentences } from './no-sentences.mjs'

export default { meta: { name: 'tezi' }, rules: { 'no-loose-text': noLooseText, 'no-sentences': noSentences } }
