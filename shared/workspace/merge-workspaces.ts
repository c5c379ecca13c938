// Three-way merge of local changes with those saved by another device.
import { drawingsMax, type Drawing } from '#shared/drawings/drawing.ts'
import { layoutsMax, type Workspace } from './workspace.ts'

/** Three states of one value: common base, local, and saved by another device. */
export interface Fork<T> {
  readonly base: T
  readonly mine: T
  readonly theirs: T
}

/** Per field: local changes win, everything else is theirs. Favourites and layouts are merged item by item. */
export function mergeWorkspaces({ base, mine, theirs }: Fork<Workspace>): Workspace {
  const names = Object.keys(mine) as (keyof Workspace)[]
  const changed = names.filter((name) => !isDeepEqual(base[name], mine[name]))
  const merged: Workspace = { ...theirs, ...Object.fromEntries(changed.map((name) => [name, mine[name]])) }
  const layouts = mergeLists({ base: base.layouts, mine: mine.layouts, theirs: theirs.layouts }, (layout) => layout.id)
  return {
    ...merged,
    favourites: mergeNames({ base: base.favourites, mine: mine.favourites, theirs: theirs.favourites }).slice(0, 60),
    layouts: layouts.slice(0, layoutsMax),
    studies: mergeNames({ base: base.studies, mine: mine.studies, theirs: theirs.studies }),
    hiddenStudies: mergeNames({ base: base.hiddenStudies, mine: mine.hiddenStudies, theirs: theirs.hiddenStudies }),
    studyInputs: mergeInputs({ base: base.studyInputs, mine: mine.studyInputs, theirs: theirs.studyInputs }),
  }
}

/** Per study: inputs changed or reset locally win. */
function mergeInputs({ base, mine, theirs }: Fork<Workspace['studyInputs']>): Workspace['studyInputs'] {
  const studies = new Set([...Object.keys(theirs), ...Object.keys(mine)])
  const merged = [...studies].map((study) => [study, isDeepEqual(base[study], mine[study]) ? theirs[study] : mine[study]] as const)
  return Object.fromEntries(merged.flatMap(([study, inputs]) => (inputs === undefined ? [] : [[study, inputs]])))
}

/** Per drawing: additions, changes and removals of both sides are kept; a drawing changed on both sides is the local one. */
export function mergeDrawings(fork: Fork<readonly Drawing[]>): readonly Drawing[] {
  return mergeLists(fork, (drawing) => drawing.id).slice(0, drawingsMax)
}

function mergeNames(fork: Fork<readonly string[]>): string[] {
  return [...mergeLists(fork, (name) => name)]
}

/** In their order, with new local items at the end. */
function mergeLists<T>({ base, mine, theirs }: Fork<readonly T[]>, keyOf: (item: T) => string): readonly T[] {
  const before = new Map(base.map((item) => [keyOf(item), item]))
  const here = new Map(mine.map((item) => [keyOf(item), item]))
  const there = new Set(theirs.map(keyOf))
  const kept = theirs.flatMap((item) => {
    const key = keyOf(item)
    const own = here.get(key)
    if (own === undefined) return before.has(key) ? [] : [item]
    return isDeepEqual(before.get(key), own) ? [item] : [own]
  })
  const added = mine.filter((item) => {
    const key = keyOf(item)
    // An item they removed stays removed, unless it was changed locally.
    return !there.has(key) && !isDeepEqual(before.get(key), item)
  })
  return [...kept, ...added]
}

/** Deep equality of JSON values, independent of field order. */
export function isDeepEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  const names = Object.keys(one)
  return (
    Array.isArray(one) === Array.isArray(other) &&
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isDeepEqual((one as Fields)[name], (other as Fields)[name]))
  )
}

type Fields = Readonly<Record<string, unknown>>
