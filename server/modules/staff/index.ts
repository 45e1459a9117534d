/** The people who work in the office: who they are, what they may do, and how they sign in. */
export type { KeyInput, StaffKeys } from './keys.ts';
export type { StaffPush } from './push.ts';
export type { DemoStaff, StaffService } from './staff.service.ts';
export { invitationLink } from './staff.service.ts';
