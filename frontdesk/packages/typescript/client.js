import { Selection } from "./selection.js";
import { Session } from "./session.js";
/** A client of the Open API. Paths, parameters, bodies and results have the types of the published description. */
export class Client {
    #session;
    constructor(options) {
        this.#session = new Session(options);
    }
    /** One record, or one page of a list. */
    get(path, ...[input]) {
        return this.#call("get", path, input);
    }
    /** Every record of a list, with one request for each page: `for await (const order of client.list("/orders"))`. */
    async *list(path, ...[input]) {
        const seen = new Set(); // a new record moves older ones to the next page, where they would come again
        for await (const page of this.#pages(path, input)) {
            for (const record of page.data) {
                const id = record.id;
                if (id === undefined || !seen.has(id))
                    yield record;
                seen.add(id);
            }
        }
    }
    /** The pages of a list, with `meta.total`. */
    pages(path, ...[input]) {
        return this.#pages(path, input);
    }
    /** The same reads, whose records have only these fields: `client.only("id", "total").list("/orders")`. */
    only(...fields) {
        return new Selection(this, fields);
    }
    post(path, ...[input]) {
        return this.#write("post", path, input);
    }
    patch(path, ...[input]) {
        return this.#write("patch", path, input);
    }
    put(path, ...[input]) {
        return this.#write("put", path, input);
    }
    delete(path, ...[input]) {
        return this.#write("delete", path, input);
    }
    /** Any call, with status, headers and the whole body: `data`, and `dry_run` of a dry run. */
    async request(method, path, ...[input]) {
        const request = method === "get" ? built(method, path, input) : writing(method, path, input);
        return this.#session.send(request);
    }
    /** The records of an export that is done, while they arrive: `for await (const { resource, record } of …)`. */
    records(exportId, options = {}) {
        const request = built("get", "/exports/{id}/records", { ...options, path: { id: exportId } });
        return this.#session.lines(request);
    }
    async *#pages(path, input) {
        const request = built("get", path, input);
        let query = { per_page: 100, ...request.query };
        while (query !== null) {
            const page = (await this.#session.send({ ...request, query })).body;
            yield page;
            // The server says what comes next. Only its parameters are used, so the token never goes to another address.
            query = page.links.next === null ? null : Object.fromEntries(new URL(page.links.next).searchParams);
        }
    }
    async #write(method, path, input) {
        return this.#send(writing(method, path, input));
    }
    async #call(method, path, input) {
        return this.#send(built(method, path, input));
    }
    async #send(request) {
        const answer = (await this.#session.send(request)).body;
        const hasEnvelope = typeof answer === "object" && answer !== null && "data" in answer && !("meta" in answer);
        return hasEnvelope ? answer.data : answer;
    }
}
function writing(method, path, input) {
    const given = (input ?? {});
    const headers = {
        ...given.headers,
        "idempotency-key": given.idempotencyKey ?? crypto.randomUUID(),
    };
    if (given.dryRun)
        headers["frontdesk-dry-run"] = "true";
    return built(method, path, { ...given, headers });
}
function built(method, template, input) {
    const path = template.replace(/\{([^}]+)\}/g, (_, name) => {
        const value = input?.path?.[name];
        if (value === undefined || value === null || value === "")
            throw new TypeError(`${template} needs ${name}`);
        return encodeURIComponent(String(value));
    });
    return { method, path, query: input?.query, body: input?.body, headers: input?.headers, signal: input?.signal };
}
