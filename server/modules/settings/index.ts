export { deliveredText, emailsDraft } from './emails.ts';
export { registerLook } from './look.kind.ts';
export {
  cardSize,
  hasOwnColours,
  type LookPicture,
  type LookPictures,
  lookColours,
  lookDraft,
  lookFiles,
  lookOf,
  lookPicturesOf,
  lookStyle,
  pageStyle,
} from './look.ts';
export { registerMoreSettings, type SettingsChoices } from './more-settings.kind.ts';
export { navigationDraft, navigationFiles, navigationLinks, navigationOf } from './navigation.ts';
export { createSettingsEditor, type SettingsEditor, settingsOfRooms } from './office-settings.ts';
export { createRedirects, RedirectInput, type RedirectsService, redirectProblems } from './redirects.ts';
export { plainPath, type Redirect } from './settings.repository.ts';
export { defaultSettings, type SettingKey, ShopSettings } from './settings.schema.ts';
export { createSettingsService, type SettingsService, settingsProblems } from './settings.service.ts';
