/** An answer that is JSON already, for calls so frequent that printing is most of their work. */
export class PreSerializedJson {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}
