// The real server with pages that were built elsewhere, such as with more languages than English. Started by its path.
import path from 'node:path'

const { resolve } = path
const usual = resolve(import.meta.dirname, '../../dist/web')
const other = process.env['E2E_WEB_ROOT'] ?? usual

path.resolve = (...parts) => {
  const found = resolve(...parts)
  return found === usual ? other : found
}

await import('#server/main.ts')
