// Named figures side by side.

export interface Fact {
  readonly name: string
  readonly value: string
  readonly isWrong?: boolean
}

interface FactGridProps {
  readonly facts: readonly Fact[]
  readonly columns: 3 | 4
}

/** The last row fills the width, so that no empty cell is left. */
const columnsClass = { 3: 'lg:basis-[calc(33.3%-1px)]', 4: 'lg:basis-[calc(25%-1px)]' } as const

export function FactGrid({ facts, columns }: FactGridProps) {
  return (
    <ul className="flex flex-wrap gap-px overflow-hidden rounded-panel border border-line bg-line">
      {facts.map(({ name, value, isWrong = false }) => (
        <li
          key={name}
          className={`flex min-h-16 min-w-0 grow basis-[calc(50%-1px)] flex-col justify-center bg-surface px-4 py-2 ${columnsClass[columns]}`}
        >
          <span className="text-12 text-text-2">{name}</span>
          <span className={`text-16 font-semibold tracking-tight tabular-nums ${isWrong ? 'text-danger' : ''}`}>{value}</span>
        </li>
      ))}
    </ul>
  )
}
