// What the operator's page says, before any module reads it: mail is set up.
import { siteElementId } from '#shared/base/site.ts'

const block = document.createElement('script')
block.id = siteElementId
block.type = 'application/json'
block.textContent = JSON.stringify({ hasMail: true })
document.head.append(block)
