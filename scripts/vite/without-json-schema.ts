// Removes zod's conversion to JSON Schema from the browser bundle: every schema names it, so no bundler finds it unused.
import type { Plugin } from 'vite'

const converters = /\/zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\.js$/
const schemas = /\/zod\/v4\/classic\/schemas\.js$/

const exported = /^export (?:const|function) (\w+)/gm
const conversion = /^ *inst\._zod\.processJSONSchema = \(ctx, json, params\) => processors\.\w+\(inst, ctx, json, params\);$/gm

export function withoutJsonSchema(): Plugin {
  return {
    name: 'without-json-schema',
    apply: 'build',
    transform: {
      filter: { id: [converters, schemas] },
      handler: (code, id) => ({ code: schemas.test(id) ? changed(code, conversion, '') : withoutBodies(code), map: null }),
    },
  }
}

function withoutBodies(code: string): string {
  const names = [...code.matchAll(exported)].map(([, name]) => name)
  if (names.length === 0) throw new Error('zod has moved its conversion to JSON Schema')
  const body = `const removed = () => { throw new Error('The browser bundle has no conversion to JSON Schema') }`
  return `${body}\nexport { ${names.map((name) => `removed as ${name}`).join(', ')}, removed as process }\n`
}

function changed(code: string, pattern: RegExp, by: string): string {
  const result = code.replace(pattern, by)
  if (result === code) throw new Error('zod has changed how schemas name their conversion to JSON Schema')
  return result
}
