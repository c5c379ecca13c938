// The byte budget counts exactly the files that a browser fetches.
import { firstLoadFiles, readBudget, type PageBudget } from '../scripts/first-load.ts'
import { addPerson } from './harness/people.ts'
import { expectEventually, test } from './harness/test.ts'

const { pages } = readBudget()

function budgetOf(name: string): PageBudget {
  const found = pages[name]
  if (found === undefined) throw new Error(`There is no budget for ${name}`)
  return found
}

test.describe('a first visit', () => {
  for (const [name, path, kind] of [
    ['landing', '/', undefined],
    ['login', '/login', undefined],
    ['dashboard', '/', 'free'],
  ] as const) {
    test(`of ${name} fetches what the budget counts`, async ({ open }) => {
      const fetched = new Set<string>()
      const person = kind === undefined ? {} : { as: await addPerson(kind) }
      const { page } = await open(path, {
        ...person,
        before: async (fresh) => {
          fresh.on('request', (request) => {
            const { pathname } = new URL(request.url())
            if (/\.(js|css)$/.test(pathname)) fetched.add(pathname.slice(1))
          })
        },
      })
      await page.waitForLoadState('networkidle')
      const counted = firstLoadFiles(budgetOf(name))
      await expectEventually(() => [...fetched].toSorted()).toEqual(counted.toSorted())
    })
  }
})
