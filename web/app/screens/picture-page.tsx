// Layout of error screens: an illustration, a headline, a sentence and buttons.
import type { ReactNode } from 'react'
import { appText } from '#shared/app/text/en.ts'
import { Logo } from '#web/ui/logo.tsx'
import { paths } from '../paths.ts'

export interface PicturePageProps {
  readonly picture: ReactNode
  /** Status code and name, for example "404 Not found". */
  readonly code?: string
  readonly title: string
  readonly text: string
  /** The buttons. */
  readonly children: ReactNode
}

/** Fills the window; its headline is the page's h1. */
export function PicturePage(props: PicturePageProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex h-14 items-center border-b border-line bg-surface px-4 sm:px-6">
        <a href={paths.home} className="flex rounded-control pointer-coarse:py-3">
          <Logo />
          <span className="sr-only">{appText.homepage}</span>
        </a>
      </header>
      <main className="flex flex-1 flex-col">
        <PictureContent {...props} />
      </main>
    </div>
  )
}

/** Inside a page that has header and `main` already. */
export function PictureContent({ picture, code, title, text, children }: PicturePageProps) {
  return (
    <div className="mx-auto flex min-h-full w-full max-w-xl flex-1 flex-col items-center justify-center px-6 py-8 text-center">
      {picture}
      {code !== undefined && <p className="mt-8 text-14 font-medium text-text-3 tabular-nums">{code}</p>}
      <h1 className={`${code === undefined ? 'mt-8' : 'mt-2'} text-28 leading-tight font-semibold tracking-tight text-balance sm:text-36`}>
        {title}
      </h1>
      <p className="mt-3 max-w-md text-16 text-pretty text-text-2">{text}</p>
      <div className="mt-8 flex flex-wrap justify-center gap-3">{children}</div>
    </div>
  )
}
