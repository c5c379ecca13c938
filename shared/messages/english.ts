// All texts by name, for the server and for other languages; the browser loads the files that it shows.
import { accountText } from '#shared/auth/text/en-account.ts'
import { decisionText } from '#shared/subscriptions/text/en-decisions.ts'
import { adminInstrumentsText, instrumentsServerText, instrumentsText } from '#shared/instruments/text/en-admin.ts'
import { adminMarketText } from '#shared/market-admin/text/en.ts'
import { planAdminText } from '#shared/plans/text/en-admin.ts'
import { adminScreensText, rolesText } from '#shared/users/text/en.ts'
import { adminText } from '#shared/auth/text/en-passwords.ts'
import { appText } from '#shared/app/text/en.ts'
import { signOutText, sessionEndedText, signInLimitsText } from '#shared/auth/text/en-session.ts'
import { auditText } from '#shared/audit/text/en.ts'
import { authText, authServerText } from '#shared/auth/text/en.ts'
import { brokersText } from '#shared/brokers/text/en.ts'
import { calendarListText } from '#shared/trading-hours/text/en.ts'
import { calendarText } from '#shared/base/text/en.ts'
import { chartText } from '#shared/chart/text/en.ts'
import { datesText } from '#shared/base/text/en-dates.ts'
import { emailText, mailOutboxText } from '#shared/auth/text/en-email.ts'
import { factorsText } from '#shared/factors/text/en.ts'
import { httpText, httpServerText } from '#shared/http/text/en.ts'
import { instrumentNotes } from '#shared/instruments/text/en.ts'
import { kitText } from '#shared/base/text/en-kit.ts'
import { landingText } from '#shared/landing/text/en.ts'
import { liveText, liveServerText, sourceText } from '#shared/market-data/text/en.ts'
import { loginText } from '#shared/auth/text/en-login.ts'
import { marketText } from '#shared/chart/text/en-shell.ts'
import { planText } from '#shared/plans/text/en.ts'
import { privacyNoticeText } from '#shared/privacy/text/en-notice.ts'
import { privacyText } from '#shared/privacy/text/en.ts'
import { purchaseText } from '#shared/subscriptions/text/en-purchase.ts'
import { shortcutsText } from '#shared/chart/text/en-shortcuts.ts'
import { statusPagesText } from '#shared/app/text/en-status-pages.ts'
import { studyText, provenanceText, provenanceShort, inputText, plotText } from '#shared/indicators/text/en.ts'
import { actorText, statusText, subscriptionEndText } from '#shared/subscriptions/text/en-status.ts'
import { studyGuide } from '#shared/indicators/text/en-guide.ts'
import { studyPanelText } from '#shared/indicators/text/en-panel.ts'
import { subscriptionText, subscriptionServerText } from '#shared/subscriptions/text/en.ts'
import { toggleText } from '#shared/chart/text/en-toggles.ts'
import { systemAlertsText, systemStatusText } from '#shared/system-status/text/en.ts'
import { workspaceText } from '#shared/workspace/text/en.ts'

export const english = {
  account: accountText,
  admin: adminText,
  adminDecisions: decisionText,
  adminInstruments: adminInstrumentsText,
  adminMarket: adminMarketText,
  adminPlans: planAdminText,
  adminScreens: adminScreensText,
  app: appText,
  audit: auditText,
  auth: { ...authText, ...authServerText },
  brokers: brokersText,
  calendar: calendarText,
  calendarList: calendarListText,
  chart: chartText,
  dates: datesText,
  email: emailText,
  factors: factorsText,
  http: { ...httpText, ...httpServerText },
  instruments: { ...instrumentsText, ...instrumentsServerText },
  instrumentNotes: instrumentNotes,
  kit: kitText,
  landing: landingText,
  live: { ...liveText, ...liveServerText },
  login: loginText,
  mailOutbox: mailOutboxText,
  market: marketText,
  plans: planText,
  privacy: privacyText,
  privacyNotice: privacyNoticeText,
  purchase: purchaseText,
  roles: rolesText,
  sessionEnded: sessionEndedText,
  shortcuts: shortcutsText,
  signInLimits: signInLimitsText,
  signOut: signOutText,
  sources: sourceText,
  statusPages: statusPagesText,
  statuses: statusText,
  subscriptionActors: actorText,
  studies: studyText,
  studyGuide: studyGuide,
  studyInputs: inputText,
  studyPanel: studyPanelText,
  studyPlots: plotText,
  studyProvenance: provenanceText,
  studyProvenanceShort: provenanceShort,
  subscriptionEnd: subscriptionEndText,
  subscriptions: { ...subscriptionText, ...subscriptionServerText },
  systemAlerts: systemAlertsText,
  systemStatus: systemStatusText,
  toggles: toggleText,
  workspace: workspaceText,
}

/** All texts; what a translation has to provide. */
export type Texts = typeof english
