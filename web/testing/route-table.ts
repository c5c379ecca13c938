// Finds the contract's route for a method and a path.
import { api } from '#shared/api.ts'
import { rootPathOf, type Route } from '#shared/http/route.ts'

interface Entry {
  readonly route: Route
  readonly name: string
  readonly pattern: RegExp
  readonly params: readonly string[]
}

/** Fixed paths first, because `:name` matches them too. */
const table: readonly Entry[] = Object.entries(api)
  .flatMap(([feature, routes]) => Object.entries(routes).map(([name, route]) => entryOf(`${feature}.${name}`, route)))
  .toSorted((a, b) => a.params.length - b.params.length)

/** For example 'auth.signIn'. */
export function nameOf(route: Route): string {
  const entry = table.find((one) => one.route === route)
  if (entry === undefined) throw new Error(`${route.method} ${route.path} is no route of the contract`)
  return entry.name
}

/** The route and its path parameters, or undefined if the contract has none. */
export function routeAt(method: string, path: string): { route: Route; params: Readonly<Record<string, string>> } | undefined {
  for (const { route, pattern, params } of table) {
    const match = route.method === method ? pattern.exec(path) : null
    if (match === null) continue
    return { route, params: Object.fromEntries(params.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? '')])) }
  }
  return undefined
}

function entryOf(name: string, route: Route): Entry {
  const path = rootPathOf(route)
  const params = [...path.matchAll(/:([a-zA-Z]+)/g)].map((match) => match[1] ?? '')
  return { route, name, params, pattern: new RegExp(`^${path.replaceAll('.', String.raw`\.`).replace(/:[a-zA-Z]+/g, '([^/]+)')}$`) }
}
