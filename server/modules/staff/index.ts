/** The people who work in the office: who they are, what they may do, and how they sign in. */
export type { DemoStaff } from './demo-staff.ts';
export type { StaffPush } from './push.ts';
export type { StaffService } from './staff.service.ts';
export { invitationLink } from './staff.service.ts';
