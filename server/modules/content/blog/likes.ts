/** SPEC §5, §6: one per customer or guest session. They do not change the catalogue version. */
import type { BlogLikes } from '#contract/schemas/blog.ts';
import type { Database, Trx } from '#db/database.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { networkOf, type RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { Session, SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import {
  countLike,
  deleteLike,
  findLikeable,
  insertLike,
  isLiked,
  likedBy,
  likedLinks,
  likesOf,
} from './likes.repository.ts';

export interface LikedPost {
  blogId: string;
  postId: string;
}

export type LikesService = ReturnType<typeof createLikes>;

export interface LikesDeps {
  db: Database;
  now: () => number;
  attempts: RateLimitsService;
}

export function createLikes(deps: LikesDeps) {
  const { db, now, attempts } = deps;
  async function likeable({ blogId, postId }: LikedPost) {
    const post = await findLikeable(db.read, blogId, postId);
    if (!post) throw notFound();
    return { id: post.id, users: post.enable_user_like === 1, guests: post.enable_guest_like === 1 };
  }

  return {
    /** @throws {AppError} 404 for an unknown or unpublished post */
    async of(handle: SessionHandle, which: LikedPost): Promise<BlogLikes> {
      const [post, session] = await Promise.all([likeable(which), handle.get()]);
      const [likes, liked] = await Promise.all([
        likesOf(db.read, post.id),
        session ? isLiked(db.read, post.id, likerOf(session)) : false,
      ]);
      return { likes, liked, allowed: allowed(post, session) };
    },

    /** Repeating changes nothing. @throws {AppError} 404; AUTHORIZATION_ERROR for a guest; FORBIDDEN if off; RATE_LIMITED by network */
    async set(handle: SessionHandle, which: LikedPost, like: boolean, address: string): Promise<BlogLikes> {
      const [post, known] = await Promise.all([likeable(which), handle.get()]);
      const may = allowed(post, known);
      if (may === 'signIn') throw new AppError('AUTHORIZATION_ERROR', { errorKey: 'blog.like.signIn' });
      if (may === 'no') throw new AppError('FORBIDDEN', { errorKey: 'blog.like.off' });
      if (!known && !like) return { likes: await likesOf(db.read, post.id), liked: false, allowed: may };
      if (!known?.customerId) await attempts.count([['likeAddress', networkOf(address)]]);
      return db.transaction(async (trx) => {
        const liker = likerOf(await handle.ensure(trx));
        const changed = like
          ? await insertLike(trx, post.id, liker, now())
          : await deleteLike(trx, post.id, liker);
        if (changed) await countLike(trx, post.id, like ? 1 : -1);
        return { likes: await likesOf(trx, post.id), liked: like, allowed: may };
      });
    },

    ...createCustomerLikes(deps),
  };
}

/** The likes of an account: when its customer signs in, exports their data, or deletes it. */
function createCustomerLikes({ db, now }: Pick<LikesDeps, 'db' | 'now'>) {
  return {
    /** Moves a guest's likes to the customer; a post that both like counts once. */
    async follow(trx: Trx, sessionHash: string, customerId: string): Promise<void> {
      const guest = likerOf({ idHash: sessionHash, customerId: null });
      const customer = likerOf({ idHash: '', customerId });
      for (const postId of await likedBy(trx, guest)) {
        await deleteLike(trx, postId, guest);
        if (!(await insertLike(trx, postId, customer, now()))) await countLike(trx, postId, -1);
      }
    },

    async forget(trx: Trx, customerId: string): Promise<void> {
      const customer = likerOf({ idHash: '', customerId });
      for (const postId of await likedBy(trx, customer)) {
        await deleteLike(trx, postId, customer);
        await countLike(trx, postId, -1);
      }
    },

    by: (customerId: string) => likedLinks(db.read, likerOf({ idHash: '', customerId })),
  };
}

function likerOf({ customerId, idHash }: Session): string {
  return customerId === null ? `session:${idHash}` : `customer:${customerId}`;
}

function allowed(post: { users: boolean; guests: boolean }, session: Session | null): BlogLikes['allowed'] {
  if (session?.customerId) return post.users ? 'yes' : 'no';
  if (post.guests) return 'yes';
  return post.users ? 'signIn' : 'no';
}
