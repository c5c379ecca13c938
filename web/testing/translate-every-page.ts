// Setup file of the component tests on pages that a browser translates.
import { translatePage } from './translate-page.ts'

translatePage()
