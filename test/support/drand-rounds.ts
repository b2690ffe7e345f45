/**
 * Rounds that the League of Entropy has published: from the tests of drand-client and drand-verify, and
 * from drand's relays (GET /{chain hash}/public/{round}). Nobody else could have signed them.
 */
import {
  KNOWN_CHAINS,
  QUICKNET,
  type DrandChain,
  type DrandRound,
} from "../../src/core/draw/drand-chain.ts";

export const LEAGUE_DEFAULT = KNOWN_CHAINS[1]!;

/** Of the drand project's walkthrough: a network of its own, with quicknet's scheme. */
export const WALKTHROUGH: DrandChain = {
  hash: "af8b6fc95693b058a3a59efe586eb31c2c352fe00cf40c62a427d87c34f7a235",
  scheme: "bls-unchained-g1-rfc9380",
  publicKey:
    "81d320f220ee9c79e60e19dedc838c31e3ab919b15481e9feb52f643628c4f6a13fdc52129493875a818109d767272ca" +
    "0541cbcdcea9335f2870d781b39b845ba8cbd44fdfe4967781cf72ca5917fc9398bcf97ca0548ed5a709016c4b1ff0f3",
  periodSeconds: 3,
  genesisSeconds: 1_687_506_816,
  groupHash: "02d678e93908888871b70e3f015b396a8c082bc1493ae5479f8743cb5d972b54",
  beaconId: "walkthrough",
};

/** Of the League's test network; only key and scheme are known, and only they count for a signature. */
export const UNCHAINED_TEST: DrandChain = {
  ...LEAGUE_DEFAULT,
  scheme: "pedersen-bls-unchained",
  publicKey:
    "8200fc249deb0148eb918d6e213980c5d01acd7fc251900d9260136da3b54836ce125172399ddc69c4e3e11429b62c11",
};

interface Recorded extends DrandRound {
  readonly chain: DrandChain;
  /** As drand published it: the hash of the signature. */
  readonly randomness: string;
}

export const QUICKNET_1000: Recorded = {
  chain: QUICKNET,
  round: 1_000,
  signature:
    "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
  previousSignature: null,
  randomness: "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd",
};
export const QUICKNET_657413: Recorded = {
  chain: QUICKNET,
  round: 657_413,
  signature:
    "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b",
  previousSignature: null,
  randomness: "fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587",
};
export const WALKTHROUGH_38: Recorded = {
  chain: WALKTHROUGH,
  round: 38,
  signature:
    "95c93585c513ebbcb4777ff15599b3140e5ec0295faa0e483f3deadd88fa6d43f0d3703e3a4ce106e8fd6c6987f32126",
  previousSignature: null,
  randomness: "b2fc21325a24904a6a9e81a6c63f65f6cec3f0b2400df3f4a56b214770e9ccca",
};
/** The first round follows the hash of the group instead of a signature. */
export const DEFAULT_1: Recorded = {
  chain: LEAGUE_DEFAULT,
  round: 1,
  signature:
    "8d61d9100567de44682506aea1a7a6fa6e5491cd27a0a0ed349ef6910ac5ac20ff7bc3e09d7c046566c9f7f3c6f3b101" +
    "04990e7cb424998203d8f7de586fb7fa5f60045417a432684f85093b06ca91c769f0e7ca19268375e659c2a2352b4655",
  previousSignature: "176f93498eac9ca337150b46d21dd58673ea4e3581185f869672e59fa4cb390a",
  randomness: "101297f1ca7dc44ef6088d94ad5fb7ba03455dc33d53ddb412bbc4564ed986ec",
};
export const DEFAULT_1000: Recorded = {
  chain: LEAGUE_DEFAULT,
  round: 1_000,
  signature:
    "99bf96de133c3d3937293cfca10c8152b18ab2d034ccecf115658db324d2edc00a16a2044cd04a8a38e2a307e5ecff35" +
    "11315be8d282079faf24098f283e0ed2c199663b334d2e84c55c032fe469b212c5c2087ebb83a5b25155c3283f5b79ac",
  previousSignature:
    "af0d93299a363735fe847f5ea241442c65843dc1bd3a7b79646b3b10072e908bf034d35cd69d378e3341f139100cd4cd" +
    "03030399864ef8803a5a4f5e64fccc20bbae36d1ca22a6ddc43d2630c41105e90598fab11e5c7456df3925d4b577b113",
  randomness: "a40d3e0e7e3c71f28b7da2fd339f47f0bcf10910309f5253d7c323ec8cea3212",
};
