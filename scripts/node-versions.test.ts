// The Node and npm that install Tezi: the pages, the image and CI agree with `engines` of package.json.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const { engines } = JSON.parse(read('package.json')) as { engines: { node: string; npm: string } }
const oldest = Number(engines.node.slice('>='.length))

test('pages require the versions of package.json', () => {
  const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root, exclude: ['docs/decisions/*', 'CHANGELOG.md'] })
  const required = pages.flatMap((page) =>
    [...read(page).matchAll(/Node\.js (\d+)\+(?:[^\n]*?npm (\d+)\+)?/g)].map((found) => ({ page, found })),
  )
  expect(required.map(({ page }) => page).toSorted()).toEqual(['CONTRIBUTING.md', 'README.md', 'docs/operating/running.md'])
  for (const { found } of required) expect([`>=${found[1]}`, `>=${found[2]}`]).toEqual([engines.node, engines.npm])
})

test('the image and CI install with one version, which is new enough', () => {
  const inImage = [...read('deploy/docker/Dockerfile').matchAll(/^FROM node:(\d+)-/gm)].map(([, version]) => Number(version))
  const workflows = globSync('.github/workflows/*.yml', { cwd: root }).map(read).join('\n')
  const inWorkflows = [...workflows.matchAll(/node-version: (\d+)/g)].map(([, version]) => Number(version))
  expect(inImage).toHaveLength(1)
  expect(inWorkflows.length).toBeGreaterThan(3)
  expect(new Set(inWorkflows)).toEqual(new Set(inImage))
  expect(inImage[0]).toBeGreaterThanOrEqual(oldest)
})
