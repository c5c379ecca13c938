// Site settings in the page, set before any module reads them: email is configured.
import { siteElementId } from '#shared/base/site.ts'

const block = document.createElement('script')
block.id = siteElementId
block.type = 'application/json'
block.textContent = JSON.stringify({ hasMail: true })
document.head.append(block)
