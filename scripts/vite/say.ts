// Build step: tells whoever waits what the build does next; Vite's own lines are off, because they list every file.
import type { Plugin } from 'vite'

/** Writes the line when the build comes to this hook; plugins of one hook run in their order. */
export function say(hook: 'buildStart' | 'renderStart' | 'closeBundle', line: string): Plugin {
  return { name: `say-${hook}`, apply: 'build', [hook]: () => void process.stdout.write(`  ${line}\n`) }
}
