/** The customer data of the content module, for sign-in, export and deletion: likes and form messages. */
import type { Trx } from '#db/database.ts';
import type { LikesService } from './blog/likes.ts';
import type { MessagesFrom } from './forms/form-messages.repository.ts';
import type { FormMessagesService } from './forms/form-messages.service.ts';

export interface ContentDataDeps {
  likes: Pick<LikesService, 'follow' | 'forget' | 'by'>;
  messages: Pick<FormMessagesService, 'from' | 'forget'>;
}

export function createContentData({ likes, messages }: ContentDataDeps) {
  return {
    /** Moves the likes of a guest's session to the customer who has signed in. */
    async signedIn(trx: Trx, { session, previousHash }: { session: { customerId: string }; previousHash: string | null }) {
      if (previousHash !== null) await likes.follow(trx, previousHash, session.customerId);
    },
    likedPosts: likes.by,
    forgetLikes: likes.forget,
    async messages(sender: MessagesFrom) {
      const sent = await messages.from(sender);
      return sent.map(({ formName, createdAt, details }) => ({ formName, createdAt, details }));
    },
    forgetMessages: messages.forget,
  };
}
