// Instrument search, fully usable by keyboard. Locked instruments lead to the premium offer.
import { useEffect, useId, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import type { Instrument } from '#shared/instruments/instruments.ts'
import { marketText } from '#shared/chart/text/en-shell.ts'
import { workspaceText } from '#shared/workspace/text/en.ts'
import { searchInstruments } from '#shared/instruments/search-instruments.ts'
import { cn } from '#web/lib/cn.ts'
import { usePreferences } from '#web/lib/preferences.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { LockIcon, SearchIcon, StarIcon } from '#web/ui/icon.ts'

export interface SearchDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  /** Slugs of hidden instruments. */
  readonly hidden: ReadonlySet<string>
  readonly isPremium: boolean
  readonly onOpen: (instrument: Instrument) => void
  readonly onWantPremium: () => void
}

export function SearchDialog({ isOpen, onClose, ...rest }: SearchDialogProps) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={workspaceText.search}
      description={workspaceText.searchHint}
      firstField={field}
      widthClass="max-w-lg"
    >
      {isOpen && <Search {...rest} field={field} onClose={onClose} />}
    </Dialog>
  )
}

type SearchProps = Omit<SearchDialogProps, 'isOpen'> & { readonly field: RefObject<HTMLInputElement | null> }

function Search({ onClose, hidden, isPremium, onOpen, onWantPremium, field }: SearchProps) {
  const id = useId()
  const favourites = usePreferences(({ workspace }) => workspace.favourites)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const found = searchInstruments(text, favourites).filter(({ slug }) => !hidden.has(slug))
  // Also when it is reopened during its closing animation, which the dialog does not detect.
  useEffect(() => field.current?.focus(), [field])
  const isLocked = ({ isFree }: Instrument) => !isFree && !isPremium
  const choose = (instrument: Instrument) => {
    onClose()
    if (isLocked(instrument)) onWantPremium()
    else onOpen(instrument)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = found[at]
    const next = movedTo(event.key, at, found.length)
    if (event.key === 'Enter' && chosen !== undefined) choose(chosen)
    else if (next === undefined) return
    else setAt(next)
    event.preventDefault()
  }
  const type = (typed: string) => {
    setText(typed)
    setAt(0)
  }
  return (
    <div>
      <SearchInput ref={field} id={id} text={text} at={at} count={found.length} onType={type} onKeyDown={onKeyDown} />
      <p aria-live="polite" className={cn('pt-2 text-12 text-text-2', found.length > 0 && 'sr-only')}>
        {found.length === 0 ? workspaceText.searchNothing : workspaceText.searchCount(found.length)}
      </p>
      {/* A native option list cannot show a name, a lock and a star in one row. */}
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role */}
      <div id={`${id}-list`} role="listbox" aria-label={workspaceText.search} className="mt-2 h-80 overflow-y-auto">
        {found.map((instrument, index) => (
          <Option
            key={instrument.slug}
            id={`${id}-${index}`}
            instrument={instrument}
            isSelected={index === at}
            isLocked={isLocked(instrument)}
            isFavourite={favourites.includes(instrument.slug)}
            onPoint={() => setAt(index)}
            onChoose={() => choose(instrument)}
          />
        ))}
      </div>
    </div>
  )
}

interface SearchInputProps {
  readonly ref: RefObject<HTMLInputElement | null>
  /** Prefix of the ids of list and options. */
  readonly id: string
  readonly text: string
  /** Index of the selected option. */
  readonly at: number
  readonly count: number
  readonly onType: (text: string) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

function SearchInput({ ref, id, text, at, count, onType, onKeyDown }: SearchInputProps) {
  return (
    <div className="relative">
      <SearchIcon
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-text-3"
        strokeWidth={1.5}
      />
      <input
        ref={ref}
        type="text"
        role="combobox"
        aria-label={workspaceText.searchField}
        placeholder={workspaceText.searchField}
        aria-expanded={count > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={at < count ? `${id}-${at}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        maxLength={60}
        value={text}
        onKeyDown={onKeyDown}
        onChange={(event) => onType(event.target.value)}
        className="h-10 w-full rounded-control border border-line-strong bg-canvas pr-3 pl-9 text-14 text-text placeholder:text-text-3 hover:border-text-3 focus-visible:border-focus focus-visible:outline-offset-0 pointer-coarse:h-11 pointer-coarse:text-16"
      />
    </div>
  )
}

interface OptionProps {
  readonly id: string
  readonly instrument: Instrument
  readonly isSelected: boolean
  readonly isLocked: boolean
  readonly isFavourite: boolean
  readonly onPoint: () => void
  readonly onChoose: () => void
}

function Option({ id, instrument, isSelected, isLocked, isFavourite, onPoint, onChoose }: OptionProps) {
  return (
    // The input keeps focus and handles keys; a click here is the same as Enter there.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      ref={isSelected ? scrollTo : undefined}
      onPointerMove={onPoint}
      onClick={onChoose}
      className={cn(
        'flex h-9 cursor-pointer items-center gap-2 rounded-control px-2 text-13 pointer-coarse:h-11',
        isSelected && 'bg-hover',
      )}
    >
      <span className={cn('w-28 shrink-0 font-medium', isLocked ? 'text-text-2' : 'text-text')}>{instrument.label}</span>
      <span title={instrument.name} className="min-w-0 flex-1 truncate text-12 text-text-2">
        {instrument.name}
      </span>
      {isFavourite && <StarIcon aria-hidden className="size-3.5 shrink-0 fill-current text-warn" strokeWidth={1.5} />}
      {isLocked && <LockIcon aria-hidden className="size-3.5 shrink-0 text-text-2" strokeWidth={1.5} />}
      {isFavourite && <span className="sr-only">{workspaceText.favourite}</span>}
      {isLocked && <span className="sr-only">{workspaceText.locked}</span>}
      <span className="w-16 shrink-0 text-right text-11 text-text-2 max-sm:hidden">
        {instrument.group && marketText.groups[instrument.group]}
      </span>
    </div>
  )
}

function scrollTo(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}

const page = 8

/** Row index after a navigation key; undefined for other keys. */
function movedTo(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined
  const last = count - 1
  if (key === 'ArrowDown') return at === last ? 0 : at + 1
  if (key === 'ArrowUp') return at === 0 ? last : at - 1
  if (key === 'PageDown') return Math.min(last, at + page)
  return key === 'PageUp' ? Math.max(0, at - page) : undefined
}
