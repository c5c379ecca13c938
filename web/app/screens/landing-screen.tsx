// Landing page for visitors: product demo, features and sign-up links.
import { Link } from 'react-router'
import { landingText } from '#shared/landing/text/en.ts'
import { appText } from '#shared/app/text/en.ts'
import { Claims } from '#web/features/landing/claims.tsx'
import { DemoTerminal } from '#web/features/landing/demo-terminal.tsx'
import { FeatureTiles } from '#web/features/landing/feature-tiles.tsx'
import { LandingFooter } from '#web/features/landing/landing-footer.tsx'
import { Prices } from '#web/features/landing/prices.tsx'
import { SampleCards } from '#web/features/landing/sample-cards.tsx'
import { buttonClass } from '#web/ui/button.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { paths } from '../paths.ts'

const column = 'mx-auto w-full max-w-6xl px-4 sm:px-6'

/** Works without network or account. */
export function LandingScreen() {
  return (
    <>
      <a href="#main" className="skip-link">
        {appText.skip}
      </a>
      <LandingHeader />
      <main id="main" tabIndex={-1} className="outline-none">
        <div className={`${column} pt-10 pb-8 sm:pt-16 sm:pb-10`}>
          <h1 className="max-w-3xl text-36 leading-[1.02] font-semibold tracking-[-0.03em] text-balance sm:text-52 lg:text-64">
            {landingText.headline}
          </h1>
          <div className="mt-5 flex flex-wrap items-end justify-between gap-x-12 gap-y-6">
            <p className="max-w-xl text-16 leading-relaxed text-pretty text-text-2">{landingText.lead}</p>
            <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
              <StartLink size="large" />
              <span className="text-13 text-text-3">{landingText.leadNote}</span>
            </div>
          </div>
        </div>
        <div className={column}>
          <DemoTerminal />
        </div>
        <div className={`${column} mt-16`}>
          <Claims />
        </div>
        <section className={`${column} mt-20`}>
          <h2 className="mb-6 text-28 leading-tight font-semibold tracking-tight text-balance">{landingText.featuresTitle}</h2>
          <FeatureTiles />
        </section>
        <section className={`${column} mt-20`}>
          <div className="mb-6 flex flex-wrap items-baseline justify-between gap-x-8 gap-y-1">
            <h2 className="text-28 leading-tight font-semibold tracking-tight">{landingText.pricesTitle}</h2>
            <p className="text-14 text-text-3">{landingText.pricesNote}</p>
          </div>
          <Prices />
        </section>
        <section className={`${column} mt-20`}>
          <div className="mb-6 flex flex-wrap items-baseline justify-between gap-x-8 gap-y-1">
            <h2 className="text-28 leading-tight font-semibold tracking-tight">{landingText.samplesTitle}</h2>
            <p className="text-14 text-text-3">{landingText.samplesNote}</p>
          </div>
          <SampleCards />
        </section>
        <div className={`${column} flex flex-wrap items-center justify-between gap-6 py-20`}>
          <h2 className="text-28 leading-tight font-semibold tracking-tight text-balance">{landingText.closing}</h2>
          <StartLink size="large" />
        </div>
      </main>
      <LandingFooter />
    </>
  )
}

function LandingHeader() {
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-surface">
      <div className={`${column} flex h-14 items-center gap-2`}>
        <Link to={paths.home} className="mr-auto flex rounded-control pointer-coarse:py-3">
          <Logo />
          <span className="sr-only">{appText.homepage}</span>
        </Link>
        <Link to={paths.login} className={buttonClass('quiet')}>
          {landingText.signIn}
        </Link>
        <StartLink size="medium" />
      </div>
    </header>
  )
}

function StartLink({ size }: { readonly size: 'medium' | 'large' }) {
  return (
    <Link to={paths.login} className={buttonClass('solid', size)}>
      {landingText.start}
    </Link>
  )
}
