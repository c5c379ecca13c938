// The byte budget counts the files that a browser really fetches: not one more, not one less.
import { describe, expect } from 'vitest'
import { firstLoadFiles, readBudget } from '../scripts/first-load.ts'
import { addPerson } from './harness/people.ts'
import { test } from './harness/test.ts'

const { pages } = readBudget()

describe('a first visit', () => {
  test.for([
    ['landing', '/', undefined],
    ['login', '/login', undefined],
    ['dashboard', '/', 'free'],
  ] as const)('of %s fetches what the budget counts', async ([name, path, kind], { open }) => {
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
    const counted = firstLoadFiles(pages[name]?.chunks ?? [])
    await expect.poll(() => [...fetched].toSorted()).toEqual(counted.toSorted())
  })
})
